import { describe, expect, test } from 'vitest';
import { inOrder } from '../../src/server/message-order.ts';

const subscribe = (id: string): string => JSON.stringify({ type: 'subscribe', id, payload: { query: '' } });
const complete = (id: string): string => JSON.stringify({ type: 'complete', id });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A protocol that takes down what it gets, and whose subscriptions go on until a test ends them. */
function protocol() {
  const got: string[] = [];
  const running: PromiseWithResolvers<void>[] = [];
  const misdirected = (): void => void got.push('misdirected');
  const receive = inOrder(async (text) => {
    got.push(text);
    if (!text.includes('subscribe')) return;
    const operation = Promise.withResolvers<void>();
    running.push(operation);
    await operation.promise;
  }, misdirected);
  return { got, running, receive };
}

describe("a socket's messages", () => {
  test('go on as they come', () => {
    const { got, receive } = protocol();
    const messages = ['{"type":"connection_init"}', subscribe('1'), subscribe('2'), complete('1'), complete('unknown'), 'noise', '[]', '{"type":"subscribe"}'];
    for (const message of messages) void receive(message);
    expect(got).toEqual(messages);
  });

  test('that only a server says are not handed on', () => {
    const { got, receive } = protocol();
    for (const type of ['connection_ack', 'next', 'error']) void receive(JSON.stringify({ type, id: '1' }));
    expect(got).toEqual(['misdirected', 'misdirected', 'misdirected']);
  });

  test('hold a subscription back until the one of the same id, which its client has completed, is over', async () => {
    const { got, running, receive } = protocol();
    void receive(subscribe('1'));
    void receive(complete('1'));
    void receive(subscribe('1'));
    await turn();
    expect(got).toEqual([subscribe('1'), complete('1')]);
    running[0]?.resolve();
    await turn();
    expect(got).toEqual([subscribe('1'), complete('1'), subscribe('1')]);
    void receive(complete('1'));
    expect(got).toHaveLength(4);
  });

  test('go on after the one before has failed', async () => {
    const { got, running, receive } = protocol();
    const first = receive(subscribe('1'));
    void receive(complete('1'));
    void receive(subscribe('1'));
    running[0]?.reject(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    await turn();
    expect(got).toHaveLength(3);
  });

  test('leave out a subscription that was completed before it began', async () => {
    const { got, running, receive } = protocol();
    for (const message of [subscribe('1'), complete('1'), subscribe('1'), complete('1')]) void receive(message);
    running[0]?.resolve();
    await turn();
    expect(got).toEqual([subscribe('1'), complete('1')]);
  });

  test('leave an id that is taken to the protocol, which closes the socket', () => {
    const { got, receive } = protocol();
    for (const message of [subscribe('1'), subscribe('1')]) void receive(message);
    expect(got).toEqual([subscribe('1'), subscribe('1')]);
  });
});
