/** One attack: its bytes sent on a connection of its own, and what the server makes of them. */
import { connect } from 'node:net';
import { readFrames } from './frames.ts';

export interface Target {
  readonly host: string;
  readonly port: number;
}

/** A client that has nothing more to say, and hears nothing more, closes its side after this long. */
const QUIET_MS = { beforeAnswer: 150, afterwards: 30 } as const;
/** By then the server has let go of a connection that its client has closed. */
const LET_GO_MS_MAX = 15_000;

/** Everything that the server said until the connection was gone; null where it never went. */
export function strike(target: Target, pieces: readonly Buffer[]): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const socket = connect({ ...target, noDelay: true });
    const received: Buffer[] = [];
    let isHeld = false;
    const letGo = setTimeout(() => {
      isHeld = true;
      socket.destroy();
    }, LET_GO_MS_MAX);
    socket.setTimeout(QUIET_MS.beforeAnswer, () => socket.end());
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk);
      socket.setTimeout(QUIET_MS.afterwards);
    });
    socket.once('close', () => {
      clearTimeout(letGo);
      resolve(isHeld ? null : Buffer.concat(received));
    });
    for (const piece of pieces) socket.write(piece);
  });
}

const LEAKS = /node_modules|node:internal|file:\/\/|\bat \S+ \(|\.[jt]s:\d+|SQLITE_|SqliteError|better-sqlite|kysely|\/src\/|"?jobs"? where |insert into/i;
const DEFECTS = /INTERNAL_SERVER_ERROR|Unexpected error\.|Internal server error/;
const BAD_CLOSE_CODES: readonly number[] = [1_011, 4_500];

/** What is wrong with the answer, or null. */
export function faultOf(answer: Buffer | null): string | null {
  if (answer === null) return 'the connection was kept for ever';
  const text = answer.toString('latin1');
  const statuses = [...text.matchAll(/(?:^|\n|\})HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  const bad = statuses.find((status) => status >= 500 && status !== 503);
  if (bad !== undefined) return `the status ${bad}`;
  if (statuses.includes(503) && !text.includes('SERVICE_UNAVAILABLE')) return 'the status 503 without its code';
  const [leak] = LEAKS.exec(text) ?? [];
  if (leak !== undefined) return `an answer with ${JSON.stringify(leak)}`;
  if (DEFECTS.test(text)) return 'a defect that was masked';
  return statuses[0] === 101 ? closeFault(answer) : null;
}

function closeFault(answer: Buffer): string | null {
  const frames = readFrames(answer.subarray(answer.indexOf('\r\n\r\n') + 4));
  const close = frames.find(({ opcode }) => opcode === 8);
  const code = close !== undefined && close.payload.length >= 2 ? close.payload.readUInt16BE(0) : null;
  return code !== null && BAD_CLOSE_CODES.includes(code) ? `a socket closed with ${code}` : null;
}
