/** Draws the screen of the address. Each one is loaded when it is first looked at. */
import { signal, useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Empty, Notice } from '../parts/notice.tsx';
import { Link } from '../route/link.tsx';
import { route } from '../route/route.ts';
import type { ScreenName } from '../route/screens.ts';
import { isScreenOpen } from './rights.ts';

type Load = () => Promise<{ readonly Screen: FunctionComponent }>;

const LOADERS: Readonly<Record<ScreenName, Load>> = {
  overview: () => import('../screens/overview/screen.tsx'),
  queues: () => import('../screens/queues/screen.tsx'),
  jobs: () => import('../screens/jobs/screen.tsx'),
  dead: () => import('../screens/dead/screen.tsx'),
  workers: () => import('../screens/workers/screen.tsx'),
  live: () => import('../screens/live/screen.tsx'),
  settings: () => import('../screens/settings/screen.tsx'),
  submit: () => import('../screens/submit/screen.tsx'),
  play: () => import('../screens/play/screen.tsx'),
};

const loaded = signal<{ readonly [Name in ScreenName]?: FunctionComponent }>({});

export function CurrentScreen() {
  const name = route.value.screen;
  if (name === null) return <Nowhere />;
  if (!isScreenOpen(name)) return <NotAllowed />;
  return <LoadedScreen key={name} name={name} />;
}

function LoadedScreen({ name }: { readonly name: ScreenName }) {
  const hasFailed = useSignal(false);
  useEffect(() => {
    if (loaded.value[name] !== undefined) return;
    LOADERS[name]().then(
      ({ Screen }) => (loaded.value = { ...loaded.value, [name]: Screen }),
      () => (hasFailed.value = true),
    );
  }, [name, hasFailed]);
  const Screen = loaded.value[name];
  if (Screen !== undefined) return <Screen />;
  if (!hasFailed.value) return <p class="muted loading">Loading…</p>;
  return (
    <Notice tone="warn" title="This part of the console could not be loaded.">
      <p>The server may be away, or newer than this page. What you see elsewhere is not affected.</p>
      <Button onPress={() => location.reload()}>Load the page anew</Button>
    </Notice>
  );
}

function Nowhere() {
  return (
    <Empty title="There is no such screen.">
      <p>
        The address leads nowhere. <Link to="overview">Go to the overview</Link>
      </p>
    </Empty>
  );
}

function NotAllowed() {
  return (
    <Empty title="Your key may not see this.">
      <p>
        It lacks a scope that this screen needs. <Link to="settings">See what it may do</Link>
      </p>
    </Empty>
  );
}
