/** A state in a shape and a word, never in colour alone. */

export interface Marked {
  readonly mark: string;
  readonly word: string;
  /** Names a colour. */
  readonly tone: string;
}

export function MarkedWord({ mark, word, tone }: Marked) {
  return (
    <span class="badge" data-state={tone}>
      <span class="badge-mark" aria-hidden="true">
        {mark}
      </span>
      {word}
    </span>
  );
}
