/** Draws the screen of the address. */
import { signal, useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { ScreenHead } from '../parts/screen.tsx';
import { Link } from '../route/link.tsx';
import { route } from '../route/route.ts';
import type { ScreenName } from '../route/screens.ts';
import { Screen as dead } from '../screens/dead/screen.tsx';
import { Screen as overview } from '../screens/overview/screen.tsx';
import { Screen as queues } from '../screens/queues/screen.tsx';
import { isScreenOpen } from './rights.ts';

type Screens = Readonly<Partial<Record<ScreenName, FunctionComponent>>>;

/** The others are loaded when the first of them is looked at. */
const screens = signal<Screens>({ overview, queues, dead });

export function CurrentScreen() {
  const name = route.value.screen;
  if (name === null) return <Nowhere />;
  if (!isScreenOpen(name)) return <NotAllowed />;
  return <LoadedScreen key={name} name={name} />;
}

function LoadedScreen({ name }: { readonly name: ScreenName }) {
  const hasFailed = useSignal(false);
  const Screen = screens.value[name];
  useEffect(() => {
    if (Screen !== undefined) return;
    import('../screens/others.ts').then(
      ({ OTHERS }) => (screens.value = { ...screens.value, ...OTHERS }),
      () => (hasFailed.value = true),
    );
  }, [Screen, hasFailed]);
  if (Screen !== undefined) return <Screen />;
  if (!hasFailed.value) return <h1 class="hidden-words">Loading…</h1>;
  return (
    <Notice tone="warn" title="This part of the console could not be loaded.">
      <p>The server may be away, or newer than this page. What you see elsewhere is not affected.</p>
      <Button onPress={() => location.reload()}>Load the page anew</Button>
    </Notice>
  );
}

function Nowhere() {
  return (
    <>
      <ScreenHead title="There is no such screen." name="No such screen" />
      <p>
        The address leads nowhere. <Link to="overview">Go to the overview</Link>
      </p>
    </>
  );
}

function NotAllowed() {
  return (
    <>
      <ScreenHead title="Your key may not see this." name="Not allowed" />
      <p>
        It lacks a scope that this screen needs. <Link to="settings">See what it may do</Link>
      </p>
    </>
  );
}
