/** What every screen begins with: its name, what it says in one line, and what can be done. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface ScreenHeadProps {
  readonly title: ComponentChildren;
  /** For the tab of the browser. */
  readonly name: string;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
}

export function ScreenHead({ title, name, lead, actions }: ScreenHeadProps) {
  useEffect(() => {
    document.title = `${name} · LeaseQueue`;
  }, [name]);
  return (
    <header class="screen-head">
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {lead === undefined ? null : <p class="lead">{lead}</p>}
      </div>
      {actions === undefined ? null : <div class="actions">{actions}</div>}
    </header>
  );
}

/** A part of a screen under a heading of its own. */
export function Panel({
  title,
  aside,
  children,
}: {
  readonly title: ComponentChildren;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="panel">
      <header class="panel-head">
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
