/** All feeds that are followed, by what they tell: subscribers that ask for the same thing share the work. */
import { type Member, Reader, type Topic } from './reader.ts';
import type { Renderer, Shown, Subscriber } from './subscriber.ts';
import type { FeedParts, FeedRequest } from './tail.ts';

/** What one subscriber wants to follow. */
export interface Following<Text extends Shown> {
  /** Equal for those who get the same messages from the same place on. */
  readonly key: string;
  readonly parts: FeedParts;
  readonly request: FeedRequest;
  /** Ready to be used, and closed by the feed. */
  readonly renderer: Renderer<Text>;
  /** Makes another one, for a reader of the same topic. */
  readonly openRenderer: () => Promise<Renderer<Text>>;
}

export class SharedFeeds<Text extends Shown> {
  readonly #topics = new Map<string, Topic<Text>>();

  /** Subscribers of all topics. */
  get size(): number {
    return this.#topics.values().reduce((sum, { members }) => sum + members.size, 0);
  }

  /** Sends to the subscriber from its place on, until it leaves by the function that is answered, or is ended. */
  follow({ key, parts, request, renderer, openRenderer }: Following<Text>, subscriber: Subscriber<Text>): () => void {
    const { observer, ...others } = parts;
    const topic = this.#topicOf(key, {
      parts: { ...others, ...(observer !== undefined && { observer: { ...observer, opened: nothing, closed: nothing } }) },
      request,
      openRenderer,
    });
    const depart = (): void => {
      if (!topic.members.delete(member)) return;
      if (topic.members.size === 0) this.#topics.delete(key);
      observer?.closed();
    };
    const member = createMember(subscriber, depart);
    topic.members.add(member);
    observer?.opened();
    new Reader(topic).start(member, { after: request.after, isResumed: false, renderer });
    return () => {
      depart();
      member.reader?.leave(member);
    };
  }

  #topicOf(key: string, made: Omit<Topic<Text>, 'members' | 'lead'>): Topic<Text> {
    const topic = this.#topics.get(key) ?? { ...made, members: new Set(), lead: null };
    this.#topics.set(key, topic);
    return topic;
  }
}

const nothing = (): void => {};

function createMember<Text extends Shown>(subscriber: Subscriber<Text>, depart: () => void): Member<Text> {
  const member: Member<Text> = {
    reader: null,
    untaken: 0,
    taken: () => {
      member.untaken -= 1;
      member.reader?.took(member);
    },
    send: (text, taken) => subscriber.send(text, taken),
    hasRoom: () => subscriber.hasRoom(),
    end: () => {
      depart();
      subscriber.end();
    },
    fail: (error) => {
      depart();
      subscriber.fail(error);
    },
  };
  return member;
}
