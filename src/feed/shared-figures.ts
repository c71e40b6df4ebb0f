/** Figures that are looked at again and again: those who ask for the same share each look, and the text of what it found. */
import type { Renderer, Shown, Subscriber } from './subscriber.ts';

/** What to look at, and how often. */
export interface FiguresParts<Figures> {
  look(): Promise<Figures>;
  /** Alike for figures that need not be told twice. */
  mark(figures: Figures): string;
  readonly everyMs: number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Aborts when everybody must go. */
  readonly signal: AbortSignal;
}

/** What one subscriber wants to watch. */
export interface Watching<Figures, Text extends Shown> {
  /** Equal for those who get the same figures. */
  readonly key: string;
  readonly parts: FiguresParts<Figures>;
  /** Ready to be used, and closed by the watch. */
  readonly renderer: Renderer<Text, Figures>;
}

interface Watcher<Text extends Shown> {
  readonly subscriber: Subscriber<Text>;
  /** Of what it was told last; null before the first time. */
  mark: string | null;
  isTaking: boolean;
}

export class SharedFigures<Figures, Text extends Shown> {
  readonly #watches = new Map<string, Watch<Figures, Text>>();

  /**
   * Tells the subscriber the figures at once, and again at each beat of those who ask for the same where they changed.
   * One that does not take them gets the latest when it does. Answers how to leave.
   */
  watch({ key, parts, renderer }: Watching<Figures, Text>, subscriber: Subscriber<Text>): () => void {
    const known = this.#watches.get(key);
    if (known !== undefined) {
      renderer.close();
      return known.join(subscriber);
    }
    const watch = new Watch(parts, renderer, () => {
      if (this.#watches.get(key) === watch) this.#watches.delete(key);
    });
    this.#watches.set(key, watch);
    return watch.join(subscriber);
  }
}

class Watch<Figures, Text extends Shown> {
  readonly #parts: FiguresParts<Figures>;
  readonly #renderer: Renderer<Text, Figures>;
  readonly #ended: () => void;
  readonly #watchers = new Set<Watcher<Text>>();
  readonly #over = new AbortController();
  /** One look after the other. */
  #looking: Promise<void> = Promise.resolve();

  constructor(parts: FiguresParts<Figures>, renderer: Renderer<Text, Figures>, ended: () => void) {
    this.#parts = parts;
    this.#renderer = renderer;
    this.#ended = ended;
    void this.#lookOnAndOn();
  }

  join(subscriber: Subscriber<Text>): () => void {
    const watcher: Watcher<Text> = { subscriber, mark: null, isTaking: false };
    this.#watchers.add(watcher);
    this.#tell(({ mark }) => mark === null);
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#end();
    };
  }

  async #lookOnAndOn(): Promise<void> {
    const { everyMs, sleep, signal } = this.#parts;
    const end = AbortSignal.any([signal, this.#over.signal]);
    while (!end.aborted) {
      await sleep(everyMs, end);
      this.#tell(() => true);
      await this.#looking;
    }
    for (const { subscriber } of this.#watchers) subscriber.end();
    this.#end();
  }

  #tell(isDue: (watcher: Watcher<Text>) => boolean): void {
    this.#looking = this.#looking.then(() => this.#lookFor([...this.#watchers].filter(isDue))).catch((error: unknown) => this.#fail(error));
  }

  async #lookFor(due: readonly Watcher<Text>[]): Promise<void> {
    if (due.length === 0 || this.#over.signal.aborted || this.#parts.signal.aborted) return;
    const figures = await this.#parts.look();
    const mark = this.#parts.mark(figures);
    const changed = due.filter((watcher) => watcher.mark !== mark && !watcher.isTaking);
    if (changed.length === 0) return;
    const text = await this.#renderer.render(figures);
    for (const watcher of changed) this.#send(watcher, text, mark);
  }

  #send(watcher: Watcher<Text>, text: Text, mark: string): void {
    if (!this.#watchers.has(watcher)) return;
    watcher.mark = mark;
    watcher.isTaking = true;
    watcher.subscriber.send(text, () => {
      watcher.isTaking = false;
    });
  }

  async #fail(error: unknown): Promise<void> {
    const told = await this.#renderer.failure(error);
    for (const { subscriber } of this.#watchers) subscriber.fail(told);
    this.#end();
  }

  #end(): void {
    if (this.#over.signal.aborted) return;
    this.#ended();
    this.#watchers.clear();
    this.#over.abort();
    this.#renderer.close();
  }
}
