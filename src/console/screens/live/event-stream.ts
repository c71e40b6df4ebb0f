/** The stream behind the list: a place in the log that stays exact, whatever of it is shown, held back or waits. */
import { signal } from '@preact/signals';
import type { FollowedEvent, FollowJobEventsSubscription } from '../../../client/index.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Filter } from './filter.ts';
import { type Batch, itemOf, NOTHING, type Note, passedNote, refiltered, released, ROWS_MAX, withArrived } from './listing.ts';
import { Meter } from './meter.ts';

const DRAWN_EVERY_MS = 500;

type Feed = FollowJobEventsSubscription['jobEvents'];

/** What the subscription goes on after when its connection broke. */
interface Resumable {
  after?: string | null | undefined;
}

export class EventStream {
  readonly listing = signal(NOTHING);
  /** `full`: history filled the list, and goes on when somebody has read it. */
  readonly pause = signal<'person' | 'full' | null>(null);
  /** Events that wait while it is paused. */
  readonly waiting = signal(0);
  /** Whether these are all that wait. */
  readonly isCounted = signal(true);
  /** False while what happened before is still being read. */
  readonly isCaughtUp = signal(false);
  /** When the latest event that was heard happened. */
  readonly heardUntil = signal<string | null>(null);
  /** Counts the subscriptions: each begins where the server was heard last. 0: the place is not known yet. */
  readonly round = signal(0);
  /** Whether the list must not move now. */
  isHeld: () => boolean = () => false;
  readonly #clock: Clock;
  readonly #serverNowMs: () => number;
  readonly #meter: Meter;
  readonly #over = new AbortController();
  /** Up to where the list goes, and up to where the server was heard: further while it is paused. */
  #shown = '';
  #heard = '';
  /** Events that may still be listed before history waits for its reader; null where it does not. */
  #room: number | null = null;
  #coming: (FollowedEvent | Note)[] = [];
  /** When the last event happened that was listed. */
  #shownUntil: string | null = null;
  /** Some of what waits came without its number. */
  #isCountLost = false;
  #drawnAtMs = Number.NEGATIVE_INFINITY;
  #isDrawing = false;

  /** `serverNowMs`: the server's time, as well as it is known. */
  constructor(clock: Clock, serverNowMs: () => number) {
    this.#clock = clock;
    this.#serverNowMs = serverNowMs;
    this.#meter = new Meter(serverNowMs());
  }

  close(): void {
    this.#over.abort();
  }

  /** Everything up to here was listed, passed over, or did not match. */
  get cursor(): string {
    return this.#shown;
  }

  /** Where the next subscription begins. */
  get heard(): string {
    return this.#heard;
  }

  /** Whether the number is enough of what is more than can be read: of everything but history that somebody reads. */
  get isNewestOnly(): boolean {
    return this.#room === null || this.pause.value !== null;
  }

  /** Begins anew after a cursor, as history that is read or with what happens from now on. */
  start(cursor: string, isHistory: boolean): void {
    this.listing.value = NOTHING;
    this.#coming = [];
    this.#shownUntil = null;
    this.pause.value = null;
    this.isCaughtUp.value = !isHistory;
    this.#room = isHistory ? ROWS_MAX : null;
    this.#follow(cursor);
  }

  /** The rows that match stay, and it goes on from where it is. */
  refilter(filter: Filter, at: string): void {
    this.#draw();
    this.listing.value = refiltered(this.listing.value, filter, { is: 'filter', key: `filter ${this.round.value}`, at });
    if (this.round.value > 0) this.#follow(this.#shown);
  }

  /** What the subscription brings, or a page of the log. Moves the place from which it is resumed. */
  hear(feed: Feed, resumable: Resumable = {}, round = this.round.value): void {
    // Somebody went elsewhere since.
    if (round !== this.round.value) return;
    const cursor = feed.__typename === 'JobEventGap' ? feed.resumeAt : feed.cursor;
    this.#heard = cursor;
    resumable.after = cursor;
    if (feed.__typename === 'JobEventGap') {
      if (this.pause.value === null) this.#add([{ is: 'gap', key: `gap ${cursor}`, reason: feed.reason }], cursor);
    } else this.#hearBatch(feed);
  }

  #hearBatch(batch: Batch): void {
    this.heardUntil.value = batch.events.at(-1)?.at ?? this.heardUntil.value;
    if (this.pause.value !== null) return this.#letWait(batch.events.length, batch.passedOver);
    if (this.#room !== null) return this.#hearHistory(batch, this.#room);
    const passed = passedNote(batch, this.#shownUntil, this.#shown);
    const since = this.#shownUntil ?? batch.events[0]?.at;
    if (since !== undefined) this.#meter.add([[Date.parse(since), batch.passedOver ?? 0]], this.#serverNowMs());
    this.#list(passed, batch.events, batch.cursor);
  }

  #hearHistory({ events, cursor, caughtUp }: Batch, room: number): void {
    const isTooMuch = events.length > room || (events.length === room && !caughtUp);
    const taken = isTooMuch ? events.slice(0, room) : events;
    const isOver = caughtUp && !isTooMuch;
    this.#room = isOver ? null : room - taken.length;
    this.isCaughtUp.value = isOver;
    this.#list(null, taken, isTooMuch ? (taken.at(-1)?.cursor ?? this.#shown) : cursor);
    if (isTooMuch) {
      this.#pauseAs('full');
      this.waiting.value = events.length - taken.length;
      this.isCounted.value = caughtUp;
    } else if (isOver) this.round.value += 1;
  }

  /** What waits is no longer read, only counted. */
  #pauseAs(reason: 'person' | 'full'): void {
    this.pause.value = reason;
    this.waiting.value = 0;
    this.isCounted.value = true;
    this.#isCountLost = false;
    if (this.#room !== null) this.round.value += 1;
  }

  #letWait(events: number, passedOver: number | null): void {
    this.#isCountLost ||= passedOver === null;
    this.isCounted.value = !this.#isCountLost;
    this.waiting.value += events + (passedOver ?? 0);
  }

  #list(passed: Note | null, events: readonly FollowedEvent[], cursor: string): void {
    this.#meter.add(
      events.map(({ at }) => [Date.parse(at), 1] as const),
      this.#serverNowMs(),
    );
    this.#shownUntil = events.at(-1)?.at ?? this.#shownUntil;
    this.#add(passed === null ? events : [passed, ...events], cursor);
  }

  #add(came: readonly (FollowedEvent | Note)[], cursor: string): void {
    this.#shown = cursor;
    if (came.length === 0) return;
    this.#coming.push(...came);
    void this.#drawInTime();
  }

  /** At once after a quiet moment, else twice a second at most. */
  async #drawInTime(): Promise<void> {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    await this.#clock.sleep(this.#drawnAtMs + DRAWN_EVERY_MS - this.#clock.monotonicMs(), this.#over.signal);
    this.#isDrawing = false;
    if (!this.#over.signal.aborted) this.#draw();
  }

  #draw(): void {
    const coming = this.#coming;
    if (coming.length === 0) return;
    this.#coming = [];
    this.#drawnAtMs = this.#clock.monotonicMs();
    this.listing.value = withArrived(this.listing.value, coming.map(itemOf), this.isHeld());
  }

  /** Shows what was held back as soon as the list may move. */
  settle(): void {
    if (this.listing.value.held.length > 0 && !this.isHeld()) this.release();
  }

  release(): void {
    this.listing.value = released(this.listing.value);
  }

  toggle(): void {
    if (this.pause.value !== null) return this.#resume();
    this.#pauseAs('person');
  }

  #resume(): void {
    const isHistory = this.#room !== null;
    if (isHistory) this.#room = ROWS_MAX;
    this.pause.value = null;
    if (isHistory || this.#shown !== this.#heard) this.#follow(this.#shown);
  }

  /** Leaves out what lies between here and another place; a row says so. */
  jump(cursor: string, at: string): void {
    const from = this.#shown;
    this.pause.value = null;
    this.#room = null;
    this.isCaughtUp.value = true;
    this.#follow(cursor);
    this.#add([{ is: 'jump', key: `jump ${this.round.value}`, at, from }], cursor);
    this.#draw();
    this.release();
  }

  #follow(cursor: string): void {
    this.#shown = cursor;
    this.#heard = cursor;
    this.waiting.value = 0;
    this.#meter.restart(this.#serverNowMs());
    this.round.value += 1;
  }

  /** Events a second. */
  rate(): number {
    return this.#meter.rate(this.#serverNowMs());
  }
}
