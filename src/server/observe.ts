/** Watches the answers of the store for expected failures, so that neither the store nor the resolvers count anything. */
import { type FailureCode, FAILURES } from '../domain/failures.ts';
import type { JobStore } from '../store/store.ts';

/** The same store; `failed` is called for each failure in an answer. */
export function observe<Store extends JobStore>(store: Store, failed: (code: FailureCode) => void): Store {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(member, target, given);
        if (!(answer instanceof Promise)) return answer;
        return answer.then((value: unknown) => {
          for (const code of failuresIn(value)) failed(code);
          return value;
        });
      };
    },
  });
}

/** Failures of an outcome, of a list of them, or of the lists in which claims and heartbeats answer. */
function failuresIn(answer: unknown): readonly FailureCode[] {
  if (Array.isArray(answer)) return answer.flatMap(failuresIn);
  if (typeof answer !== 'object' || answer === null) return [];
  if ('ok' in answer) return answer.ok === false && 'failure' in answer ? codeOf(answer.failure) : [];
  if ('completed' in answer && Array.isArray(answer.completed)) return answer.completed.flatMap(failuresIn);
  return 'results' in answer && Array.isArray(answer.results) ? answer.results.flatMap(failuresIn) : [];
}

function codeOf(failure: unknown): readonly FailureCode[] {
  const code = typeof failure === 'object' && failure !== null && 'code' in failure ? failure.code : null;
  return isFailureCode(code) ? [code] : [];
}

function isFailureCode(code: unknown): code is FailureCode {
  return typeof code === 'string' && Object.hasOwn(FAILURES, code);
}
