/** Who gets the messages of a feed, and what makes them presentable. */
import type { FeedMessage } from './tail.ts';

/** A message as it is sent, shared by all who get it. */
export interface Shown {
  readonly byteLength: number;
}

/** Makes messages presentable, one at a time. */
export interface Renderer<Text extends Shown, Message = FeedMessage> {
  render(message: Message): Promise<Text>;
  /** What the subscribers are told of a fault. Never rejects. */
  failure(error: unknown): Promise<unknown>;
  close(): void;
}

export interface Subscriber<Text extends Shown> {
  /** Hands a message over. `taken` is called once the other side has it, or nobody is there any more. */
  send(text: Text, taken: () => void): void;
  /** False: what was sent before still waits, and is so much that the others do not wait for this one. */
  hasRoom(): boolean;
  end(): void;
  fail(error: unknown): void;
}
