/** A file that is served from memory, and the answer to whoever asks for it: in which form, or that nothing has changed. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { digest } from '../runtime/digest.ts';
import { chooseEncoding, type ContentEncoding } from './content-encoding.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

export interface StaticFile {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Buffer;
  readonly compressed: Readonly<Partial<Record<ContentEncoding, Buffer>>>;
  /** Of the content; each form has one of its own, made of it. */
  readonly tag: string;
}

export type StaticContent = Omit<StaticFile, 'tag'>;

export function staticFile(content: StaticContent): StaticFile {
  return { ...content, tag: digest(content.content).slice(0, TAG_CHARACTERS) };
}

/** 132 bits. */
const TAG_CHARACTERS = 22;

export function sendFile({ headers: asked }: IncomingMessage, response: ServerResponse, file: StaticFile): void {
  const encoding = chooseEncoding(asked['accept-encoding'], (name) => file.compressed[name] !== undefined);
  const body = (encoding === null ? null : file.compressed[encoding]) ?? file.content;
  const etag = `"${file.tag}${encoding === null ? '' : `-${encoding}`}"`;
  const headers = { ...SECURITY_HEADERS, ...file.headers, etag, ...(Object.keys(file.compressed).length > 0 && { vary: 'accept-encoding' }) };
  if (file.status === 200 && isKnown(asked['if-none-match'], etag)) {
    response.writeHead(304, headers);
    response.end();
    return;
  }
  response.writeHead(file.status, { ...headers, ...(encoding !== null && { 'content-encoding': encoding }), 'content-length': body.length });
  response.end(body);
}

/** A proxy on the way may have called the tag a weak one, which this comparison does not mind (RFC 9110, 13.1.2). */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((entry) => ['*', etag].includes(entry.trim().replace(/^W\//, '')));
}
