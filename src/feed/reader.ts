/**
 * One cursor that reads the log for every member of it: each message is read once, made presentable once, and handed to
 * all of them. A member that cannot take more goes on with a reader of its own, from where it stands.
 */
import { LIMITS } from '../domain/limits.ts';
import { split } from './split.ts';
import type { Renderer, Shown, Subscriber } from './subscriber.ts';
import { type FeedMessage, type FeedParts, type FeedPosition, type FeedRequest, follow, type Rendezvous } from './tail.ts';

/** What those who ask for the same thing have in common. */
export interface Topic<Text extends Shown> {
  readonly parts: FeedParts;
  readonly request: FeedRequest;
  readonly openRenderer: () => Promise<Renderer<Text>>;
  readonly members: Set<Member<Text>>;
  /** Whom a reader that has caught up joins. */
  lead: Reader<Text> | null;
}

/** A subscriber, whichever reader reads for it. */
export interface Member<Text extends Shown> extends Subscriber<Text> {
  reader: Reader<Text> | null;
  /** Messages that it was given and has not taken. */
  untaken: number;
  readonly taken: () => void;
}

/** Where a reader begins. */
interface Start<Text extends Shown> {
  readonly after: FeedPosition | null;
  readonly isResumed: boolean;
  /** Made already, or to be made. */
  readonly renderer: Renderer<Text> | null;
}

/** About two milliseconds' worth, so that a crowd does not hold up whatever else the server does. */
const SENT_PER_TURN = 100;

export class Reader<Text extends Shown> implements Rendezvous {
  readonly #topic: Topic<Text>;
  readonly #members = new Set<Member<Text>>();
  readonly #over = new AbortController();
  #position: FeedPosition | null = null;
  #isResting = false;
  /** Called when a member has taken everything. */
  #someTook: () => void = () => {};

  constructor(topic: Topic<Text>) {
    this.#topic = topic;
  }

  /** Reads for this member, and for those that join. */
  start(member: Member<Text>, start: Start<Text>): void {
    this.#admit(member);
    void this.#run(start);
  }

  leave(member: Member<Text>): void {
    this.#members.delete(member);
    if (this.#members.size > 0) return;
    if (this.#topic.lead === this) this.#topic.lead = null;
    this.#someTook();
    this.#over.abort();
  }

  took(member: Member<Text>): void {
    if (member.untaken === 0) this.#someTook();
  }

  rests(position: FeedPosition): void {
    this.#position = position;
    this.#isResting = true;
  }

  moves(): void {
    this.#isResting = false;
  }

  /** Nobody waits for the lead: whoever cannot join it now leads, and the other one joins when it comes here. */
  meets(): 'stay' | 'end' | FeedPosition {
    const { lead } = this.#topic;
    if (lead === this) return 'stay';
    const [here, there] = [this.#position, lead?.restingAt ?? null];
    if (lead === null || here === null || there === null || there.seq < here.seq) {
      this.#topic.lead = this;
      return 'stay';
    }
    if (there.seq > here.seq) return there;
    for (const member of this.#members) lead.#admit(member);
    this.#members.clear();
    return 'end';
  }

  /** Null while it reads or tells. */
  get restingAt(): FeedPosition | null {
    return this.#isResting ? this.#position : null;
  }

  #admit(member: Member<Text>): void {
    member.reader = this;
    this.#members.add(member);
  }

  async #run({ after, isResumed, renderer: made }: Start<Text>): Promise<void> {
    const { parts, request, openRenderer } = this.#topic;
    let renderer = made;
    const untilOver = { ...parts, signal: AbortSignal.any([parts.signal, this.#over.signal]) };
    try {
      renderer ??= await openRenderer();
      for await (const message of follow(untilOver, { ...request, after }, { rendezvous: this, isResumed })) await this.#tell(renderer, message);
      this.#endAll((member) => member.end());
    } catch (error) {
      const told = await this.#told(renderer, error);
      this.#endAll((member) => member.fail(told));
    } finally {
      renderer?.close();
    }
  }

  async #told(renderer: Renderer<Text> | null, error: unknown): Promise<unknown> {
    return renderer === null ? error : renderer.failure(error);
  }

  #endAll(end: (member: Member<Text>) => void): void {
    if (this.#topic.lead === this) this.#topic.lead = null;
    for (const member of this.#members) end(member);
    this.#members.clear();
  }

  /** A message over the bound goes out in parts, as far as it has any. */
  async #tell(renderer: Renderer<Text>, message: FeedMessage): Promise<void> {
    if (this.#members.size === 0) return;
    const text = await renderer.render(message);
    const parts = text.byteLength > LIMITS.feedMessageBytesMax ? split(message, text.byteLength / LIMITS.feedMessageBytesMax) : [message];
    if (parts.length === 1) return this.#deliver(text, message.kind === 'gap' ? message.gap.resumeAt : message.position);
    for (const part of parts) await this.#tell(renderer, part);
  }

  /** Ends when it was sent to all and one of them has taken it: the slower ones have until the next message. */
  async #deliver(text: Text, position: FeedPosition): Promise<void> {
    const before = this.#position;
    if (before !== null) this.#releaseFull(before);
    this.#position = position;
    const taken = new Promise<void>((resolve) => {
      this.#someTook = resolve;
    });
    let sent = 0;
    for (const member of this.#members) {
      if (sent > 0 && sent % SENT_PER_TURN === 0) await this.#topic.parts.nextTurn();
      member.untaken += 1;
      member.send(text, member.taken);
      sent += 1;
    }
    if (this.#members.size > 0) await taken;
  }

  /** A lone member is waited for. */
  #releaseFull(position: FeedPosition): void {
    for (const member of this.#members) {
      if (this.#members.size === 1) return;
      if (member.hasRoom()) continue;
      this.#members.delete(member);
      new Reader(this.#topic).#resume(member, position);
    }
  }

  /** Reads on for a member once it has taken what it was given. */
  #resume(member: Member<Text>, after: FeedPosition): void {
    this.#admit(member);
    this.#someTook = () => {
      this.#someTook = () => {};
      if (this.#members.size > 0) void this.#run({ after, isResumed: true, renderer: null });
    };
    this.took(member);
  }
}
