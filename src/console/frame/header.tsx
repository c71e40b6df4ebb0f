/** The head of every screen: whose data this is, search, what can be done from everywhere, and the bar of screens. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { preferences } from '../api/preferences.ts';
import { can, isOpen, viewer } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { count } from '../parts/words.ts';
import { Link } from '../route/link.tsx';
import { route, tenantInPath } from '../route/route.ts';
import { SCREEN_NAMES, SCREENS } from '../route/screens.ts';
import { search } from './commands.ts';
import { figures } from './figures.ts';
import { Mark } from './mark.tsx';
import { isScreenOpen } from './rights.ts';
import { useKey } from '../parts/use-key.ts';

interface HeaderProps {
  readonly onHelp: () => void;
  readonly onPalette: () => void;
  readonly onTenant: (() => void) | null;
}

export function Header({ onHelp, onPalette, onTenant }: HeaderProps) {
  return (
    <header class="head">
      <div class="head-row">
        <Link to="overview" class="brand" label="LeaseQueue, overview">
          <Mark />
          <span class="brand-word">LeaseQueue</span>
        </Link>
        <TenantName onTenant={onTenant} />
        {can('READ') && route.value.screen !== 'jobs' ? <SearchBox /> : <span class="search" />}
        <div class="head-end">
          <Access />
          {isScreenOpen('submit') ? (
            <Link to="submit" class="button" title="Submit a job (g n)">
              Submit
            </Link>
          ) : null}
          <Button tone="quiet" onPress={onPalette} label="Do anything" title="Do anything (Ctrl-K)">
            ⌘
          </Button>
          <Button tone="quiet" onPress={onHelp} label="Keys" title="Keys (?)">
            ?
          </Button>
        </div>
      </div>
      <Bar />
    </header>
  );
}

function TenantName({ onTenant }: Pick<HeaderProps, 'onTenant'>) {
  const name = tenantInPath.value ?? viewer.value?.tenant.id ?? '';
  if (onTenant === null)
    return (
      <span class="tenant">
        <bdi>{name}</bdi>
      </span>
    );
  return (
    <Button tone="quiet" onPress={onTenant} label={`Tenant ${name}: choose another one`}>
      <bdi>{name}</bdi> ▾
    </Button>
  );
}

/** What the visitor may do, where that is less or more than usual. */
function Access() {
  if (preferences.value.isReadOnly || !(can('OPERATE') || can('ADMIN') || can('SUBMIT')))
    return (
      <span class="chip" data-tone="info" title="Nothing can be changed from here">
        read only
      </span>
    );
  if (!isOpen.value) return null;
  return (
    <span class="chip" data-tone="warn" title="This server asks nobody for a key: whoever reaches it may do everything">
      open server
    </span>
  );
}

function SearchBox() {
  const text = useSignal('');
  const place = useRef<HTMLInputElement>(null);
  useKey('/', () => place.current?.focus());
  const find = (event: Event): void => {
    event.preventDefault();
    search(text.value);
    text.value = '';
  };
  return (
    <form class="search" role="search" onSubmit={find}>
      <input
        ref={place}
        class="input"
        type="search"
        aria-label="Find jobs by their id, or by a filter such as task:invoice.send"
        placeholder="Find jobs: an id, or task:invoice.send state:dead"
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}

function Bar() {
  const dead = figures.value?.counts.dead ?? 0;
  const place = useRef<HTMLElement>(null);
  const { screen } = route.value;
  // On a narrow page the bar is wider than the room that it has.
  useEffect(() => place.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' }), [screen]);
  return (
    <nav class="bar" aria-label="Screens" ref={place}>
      {SCREEN_NAMES.filter((name) => SCREENS[name].isInBar && isScreenOpen(name)).map((name) => (
        <Link key={name} to={name} current={screen === name ? 'page' : undefined}>
          {SCREENS[name].title}
          {name === 'dead' && dead > 0 ? <span class="tally">{count(dead)}</span> : null}
        </Link>
      ))}
    </nav>
  );
}
