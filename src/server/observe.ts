/** Watches the answers of the store for expected failures, so that neither the store nor the resolvers count anything. */
import { type Failure, FAILURES } from '../domain/failures.ts';
import type { JobStore } from '../store/store.ts';

/** The same store; `failed` is called for each failure in an answer. */
export function observe<Store extends JobStore>(store: Store, failed: (failure: Pick<Failure, 'code'>) => void): Store {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(member, target, given);
        if (!(answer instanceof Promise)) return answer;
        return answer.then((value: unknown) => {
          for (const failure of failuresIn(value)) failed(failure);
          return value;
        });
      };
    },
  });
}

/** Failures of an outcome, of a list of them, or of the lists in which claims and heartbeats answer. */
function failuresIn(answer: unknown): readonly Pick<Failure, 'code'>[] {
  if (Array.isArray(answer)) return answer.flatMap(failuresIn);
  if (typeof answer !== 'object' || answer === null) return [];
  if ('ok' in answer) return answer.ok === false && 'failure' in answer && isFailure(answer.failure) ? [answer.failure] : [];
  if ('completed' in answer && Array.isArray(answer.completed)) return answer.completed.flatMap(failuresIn);
  return 'results' in answer && Array.isArray(answer.results) ? answer.results.flatMap(failuresIn) : [];
}

function isFailure(failure: unknown): failure is Pick<Failure, 'code'> {
  return typeof failure === 'object' && failure !== null && 'code' in failure && typeof failure.code === 'string' && Object.hasOwn(FAILURES, failure.code);
}
