/** Server-sent events over a bare fetch. */

export interface EventStream {
  readonly status: number;
  /** The payload of the next `next` event; null where the stream ended. */
  next(): Promise<unknown>;
  /** Whether the stream said that it was complete, rather than broke off. */
  readonly isComplete: boolean;
  abort(): void;
}

export async function openEventStream(
  url: string,
  query: string,
  variables: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const controller = new AbortController();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    signal: controller.signal,
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let isComplete = false;
  return {
    status: response.status,
    get isComplete() {
      return isComplete;
    },
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end !== -1) {
          const event = text.slice(0, end);
          text = text.slice(end + 2);
          if (event.includes('event: complete')) isComplete = true;
          const data = /^data: (.*)$/m.exec(event)?.[1];
          if (event.includes('event: next') && data !== undefined) return JSON.parse(data) as unknown;
          continue;
        }
        const read = await reader?.read();
        if (read === undefined || read.done) return null;
        text += read.value;
      }
    },
    abort: () => controller.abort(),
  };
}
