/** A name that somebody else chose: of any length, in any direction, never interpreted. */

interface NameProps {
  readonly text: string;
  /** As program text: ids, tasks, queues. */
  readonly isCode?: boolean;
}

/** Cut where there is no room; whole on hover and for screen readers. */
export function Name({ text, isCode = false }: NameProps) {
  return (
    <bdi class={isCode ? 'name code' : 'name'} title={text}>
      {text}
    </bdi>
  );
}

/** A job's id by its last eight digits, in which ids of one moment differ. */
export function ShortId({ id }: { readonly id: string }) {
  return (
    <span class="code" title={id}>
      …{id.slice(-8)}
    </span>
  );
}
