/** A link within the console: an ordinary one to everybody who opens it in another tab. */
import type { ComponentChildren } from 'preact';
import { go, hrefOf, type Search } from './route.ts';
import type { ScreenName } from './screens.ts';

interface LinkProps {
  readonly to: ScreenName;
  readonly id?: string | null | undefined;
  readonly search?: Search | undefined;
  readonly class?: string | undefined;
  readonly current?: 'page' | undefined;
  readonly title?: string | undefined;
  readonly label?: string | undefined;
  readonly children: ComponentChildren;
}

export function Link({ to, id = null, search = {}, current, label, children, ...rest }: LinkProps) {
  const href = hrefOf(to, id, search);
  const follow = (event: MouseEvent): void => {
    const isOrdinary = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isOrdinary) return;
    event.preventDefault();
    go(href);
  };
  return (
    <a href={href} onClick={follow} aria-current={current} aria-label={label} {...rest}>
      {children}
    </a>
  );
}
