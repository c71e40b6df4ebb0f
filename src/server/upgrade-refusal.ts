/** The answer to a request that asks for a socket and does not get one. */
import type { Duplex } from 'node:stream';
import { type Problem, rawAnswer } from './problem.ts';

export function badHandshake(reason: string): Problem {
  return { status: 400, code: 'BAD_REQUEST', message: `This is no handshake of a WebSocket: ${reason}.`, headers: { 'sec-websocket-version': '13' } };
}

export function refuseUpgrade(stream: Duplex, problem: Problem): void {
  // Nothing of it is read any more, so that its end would not be seen.
  stream.once('finish', () => stream.destroy());
  stream.end(rawAnswer(problem));
}
