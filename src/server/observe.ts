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
          tellFailures(value, failed);
          return value;
        });
      };
    },
  });
}

/** Tells of each failure of an outcome, of a list of them, or of the lists in which claims and heartbeats answer. */
function tellFailures(answer: unknown, failed: (failure: Pick<Failure, 'code'>) => void): void {
  if (Array.isArray(answer)) {
    for (const item of answer) tellFailures(item, failed);
    return;
  }
  if (typeof answer !== 'object' || answer === null) return;
  if ('ok' in answer) {
    if (answer.ok === false && 'failure' in answer && isFailure(answer.failure)) failed(answer.failure);
  } else if ('completed' in answer) tellFailures(answer.completed, failed);
  else if ('results' in answer) tellFailures(answer.results, failed);
}

function isFailure(failure: unknown): failure is Pick<Failure, 'code'> {
  return typeof failure === 'object' && failure !== null && 'code' in failure && typeof failure.code === 'string' && Object.hasOwn(FAILURES, failure.code);
}
