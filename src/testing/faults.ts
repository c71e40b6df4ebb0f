/** Requests that fail on demand, before or after they were carried out. */
import { type Transport, TransportFault, type WireAnswer, type WireRequest } from '../client/transport.ts';

/**
 * - `unreachable`: nothing was sent.
 * - `unavailable`: the server refuses the request, and has done nothing of it.
 * - `lost-answer`: the server has done what was asked, and the answer does not arrive.
 */
export type RequestFault = 'lost-answer' | 'unreachable' | 'unavailable';

interface PlannedFault {
  readonly fault: RequestFault;
  /** Null: of any request. */
  readonly field: string | null;
}

const UNAVAILABLE: WireAnswer = {
  status: 503,
  retryAfterSeconds: null,
  text: JSON.stringify({
    errors: [
      { message: 'The test asked for this request to be refused. Nothing was changed.', extensions: { code: 'SERVICE_UNAVAILABLE', outcomeUnknown: false } },
    ],
  }),
};

const unreachable = (): TransportFault => new TransportFault('the test asked for it', false, null);
const lostAnswer = (): TransportFault => new TransportFault('the answer was lost, as the test asked', true, null);

export class Faults {
  readonly #planned: PlannedFault[] = [];
  /** Requests that failed and that their client will send again. */
  readonly #owed = new Set<string>();

  /** Whether the code under test waits to repeat a request. */
  get isRepeatOwed(): boolean {
    return this.#owed.size > 0;
  }

  /** Whoever has not repeated a request by now has given it up. */
  forget(): void {
    this.#owed.clear();
  }

  /** Of the next request, or the next one that asks for this root field. */
  plan(fault: RequestFault, field: string | null): void {
    this.#planned.push({ fault, field });
  }

  /** The same transport with what is planned; for the client of the code under test it is noted what that will repeat. */
  in(transport: Transport, notesRepeats: boolean): Transport {
    return {
      send: async (request) => {
        const fault = this.#take(request);
        this.#owed.delete(request.body);
        if (fault !== null && notesRepeats) this.#owed.add(request.body);
        if (fault === 'unreachable') throw unreachable();
        if (fault === 'unavailable') return UNAVAILABLE;
        const answer = await transport.send(request);
        if (fault === 'lost-answer') throw lostAnswer();
        return answer;
      },
      open: async (request) => {
        const fault = this.#take(request);
        if (fault === null) return transport.open(request);
        throw fault === 'lost-answer' ? lostAnswer() : unreachable();
      },
    };
  }

  #take({ body }: WireRequest): RequestFault | null {
    const index = this.#planned.findIndex(({ field }) => field === null || asksFor(body, field));
    return index === -1 ? null : (this.#planned.splice(index, 1)[0]?.fault ?? null);
  }
}

/** Whether the document in the body has the field, with its arguments. */
function asksFor(body: string, field: string): boolean {
  const { query } = JSON.parse(body) as { readonly query: string };
  return query.includes(`${field}(`);
}
