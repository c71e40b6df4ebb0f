/**
 * The order of a socket's messages. A client may use the id of an operation again as soon as it has completed it, while
 * the library needs a moment to end the first one and would then take the second for it.
 */

interface Operation {
  /** Ended by its client, though maybe not over yet. */
  isEnding: boolean;
  /** Not handed on yet, because one of the same id is still ending. */
  isHeld: boolean;
  over: Promise<void>;
}

type Receive = (text: string) => Promise<void>;

/** What only a server says; the library takes it for a defect of its own. */
const OF_A_SERVER: readonly unknown[] = ['connection_ack', 'next', 'error'];

/**
 * Hands messages on, each subscription after the one of the same id is over. `receive` ends when an operation is.
 * `misdirected` is called instead for a message that no client may send.
 */
export function inOrder(receive: Receive, misdirected: () => void): Receive {
  const operations = new Map<string, Operation>();

  async function start(text: string, operation: Operation, before: Operation | undefined): Promise<void> {
    // Whoever waits for the one before has told of its failure.
    if (before !== undefined) await before.over.catch(() => {});
    operation.isHeld = false;
    if (!operation.isEnding) await receive(text);
  }

  function subscribe(text: string, id: string): Promise<void> {
    const before = operations.get(id);
    if (before?.isEnding === false) return receive(text);
    const operation: Operation = { isEnding: false, isHeld: true, over: Promise.resolve() };
    operations.set(id, operation);
    operation.over = start(text, operation, before).finally(() => {
      if (operations.get(id) === operation) operations.delete(id);
    });
    return operation.over;
  }

  return async (text) => {
    const { type, id } = envelopeOf(text);
    if (OF_A_SERVER.includes(type)) return misdirected();
    if (id === null) return receive(text);
    if (type === 'subscribe') return subscribe(text, id);
    const operation = operations.get(id);
    if (type !== 'complete' || operation === undefined) return receive(text);
    operation.isEnding = true;
    return operation.isHeld ? undefined : receive(text);
  };
}

/** What a message is about. A message that is none is left to the protocol. */
function envelopeOf(text: string): { readonly type: unknown; readonly id: string | null } {
  try {
    const message: unknown = JSON.parse(text);
    if (typeof message !== 'object' || message === null) return { type: null, id: null };
    return { type: 'type' in message ? message.type : null, id: 'id' in message && typeof message.id === 'string' ? message.id : null };
  } catch {
    return { type: null, id: null };
  }
}
