/** Server-sent events (WHATWG HTML, section 9.2) out of the bytes of a stream, as far as GraphQL over SSE uses them. */

export interface StreamEvent {
  /** `next` or `complete`; `message` where the stream names none. */
  readonly name: string;
  readonly text: string;
}

/** A carriage return alone ends no line here: it may be half of an end whose other half is still on its way. */
const LINE_END = /\r?\n/;

export async function* eventsOfStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent, void, undefined> {
  const decoder = new TextDecoder();
  // Pieces of a line that has not ended: joined once, so that a long line in small pieces stays cheap.
  let pieces: string[] = [];
  let [name, texts]: [string, string[]] = ['message', []];
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (!text.includes('\n')) {
      pieces.push(text);
      continue;
    }
    const lines = [...pieces, text].join('').split(LINE_END);
    pieces = [lines.pop() ?? ''];
    for (const line of lines) {
      if (line.startsWith('event:')) name = line.slice(6).trim();
      else if (line.startsWith('data:')) texts.push(line.slice(line.startsWith('data: ') ? 6 : 5));
      if (line !== '') continue;
      if (texts.length > 0 || name !== 'message') yield { name, text: texts.join('\n') };
      [name, texts] = ['message', []];
    }
  }
}
