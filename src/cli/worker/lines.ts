/** What a program writes, line by line, in bounded memory. */
import type { Readable } from 'node:stream';

/** A longer line comes in pieces. */
const LINE_CHARACTERS_MAX = 8_192;

/** Calls back for each line of UTF-8, without its end. */
export function eachLine(stream: Readable, onLine: (line: string) => void): void {
  let open = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${open}${text}`.split('\n');
    open = lines.pop() ?? '';
    for (const line of lines) onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (open.length > LINE_CHARACTERS_MAX) {
      onLine(open);
      open = '';
    }
  });
  stream.on('end', () => {
    if (open !== '') onLine(open);
  });
}

export interface Tail {
  add(line: string): void;
  text(): string;
}

/** The last lines, as many whole ones as fit. A single line that does not fit loses its beginning. */
export function tailOf(bytesMax: number): Tail {
  const lines: string[] = [];
  let bytes = 0;
  return {
    add(line) {
      lines.push(line);
      bytes += sizeOf(line);
      while (lines.length > 1 && bytes > bytesMax) bytes -= sizeOf(lines.shift() ?? '');
    },
    text: () => lastBytes(lines.join('\n').trim(), bytesMax),
  };
}

function sizeOf(line: string): number {
  return Buffer.byteLength(line) + 1;
}

function lastBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  let start = bytes.length - bytesMax;
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start).toString();
}
