/** A message in parts, for one that is too long to be sent at once. */
import type { FeedMessage } from './tail.ts';

/** Of the bound, so that parts of uneven size keep below it. */
const FILL = 0.8;

/** About `times` as many batches of fewer events, in order; the message itself where it cannot be split. */
export function split(message: FeedMessage, times: number): readonly FeedMessage[] {
  if (message.kind === 'gap' || message.events.length < 2) return [message];
  const { events, position, caughtUp, passedOver } = message;
  const size = Math.max(1, Math.min(Math.floor((events.length / times) * FILL), events.length - 1));
  const parts: FeedMessage[] = [];
  for (let from = 0; from < events.length; from += size) {
    const part = events.slice(from, from + size);
    const isLast = from + size >= events.length;
    const end = isLast ? position : { epoch: position.epoch, seq: part.at(-1)?.seq ?? position.seq };
    parts.push({ kind: 'batch', events: part, position: end, caughtUp: caughtUp && isLast, passedOver: from === 0 ? passedOver : 0 });
  }
  return parts;
}
