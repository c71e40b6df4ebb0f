/** Expectations of what a page will show: a browser on a busy machine takes its time. */
import { expect } from 'vitest';

const PATIENCE_MS = 8_000;

/** As `expect.poll`, with more patience. */
export function eventually<Value>(read: () => Value | Promise<Value>) {
  return expect.poll(read, { timeout: PATIENCE_MS });
}
