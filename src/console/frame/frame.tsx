/** What surrounds every screen: head, foot, dialogs that open from everywhere, and the mark that says when figures are old. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { mayChooseTenant, viewer } from '../api/session.ts';
import { Notice } from '../parts/notice.tsx';
import { go, hrefOf, route, tenantInPath } from '../route/route.ts';
import { SCREEN_NAMES, SCREENS, type ScreenEntry } from '../route/screens.ts';
import { useFigures } from './figures.ts';
import { Foot, freshness } from './foot.tsx';
import { Header } from './header.tsx';
import { Help } from './help.tsx';
import { Palette } from './palette.tsx';
import { isScreenOpen } from './rights.ts';
import { CurrentScreen } from './screens.tsx';
import { TenantPicker } from './tenants.tsx';
import { Toasts } from './toasts.tsx';
import { useKey } from '../parts/use-key.ts';

type Opened = 'help' | 'palette' | 'tenant' | null;

export function Frame({ ownTenant }: { readonly ownTenant: string }) {
  const opened = useSignal<Opened>(null);
  const place = useRef<HTMLElement>(null);
  const close = (): void => void (opened.value = null);
  useFigures();
  useTenantInAddress(ownTenant);
  useFocusAfterMoving(place);
  useKey('?', () => (opened.value = 'help'));
  useKey('Ctrl-K', () => (opened.value = 'palette'));
  return (
    <div class="frame">
      <a class="skip" href="#screen" onClick={(event) => skipTo(event, place.current)}>
        Skip to the screen
      </a>
      {SCREEN_NAMES.map((name) => (
        <ScreenKey key={name} entry={SCREENS[name]} onPress={isScreenOpen(name) ? () => go(hrefOf(name)) : null} />
      ))}
      <Header
        onHelp={() => (opened.value = 'help')}
        onPalette={() => (opened.value = 'palette')}
        onTenant={mayChooseTenant.value ? () => (opened.value = 'tenant') : null}
      />
      <main class="main" id="screen" tabIndex={-1} ref={place} data-freshness={freshness.value}>
        <OtherTenant ownTenant={ownTenant} />
        <CurrentScreen />
      </main>
      <Foot tenant={tenantInPath.value ?? ownTenant} />
      <Toasts />
      {opened.value === 'help' ? <Help onClose={close} /> : null}
      {opened.value === 'palette' ? <Palette onClose={close} /> : null}
      {opened.value === 'tenant' ? <TenantPicker onClose={close} /> : null}
    </div>
  );
}

/** The address always says whose data it is about. */
function useTenantInAddress(ownTenant: string): void {
  const tenant = tenantInPath.value;
  useEffect(() => {
    if (tenant === null) go(hrefOf(route.value.screen ?? 'overview', null, {}, ownTenant), { isReplacing: true });
  }, [tenant, ownTenant]);
}

/** A new screen is read from its head. */
function useFocusAfterMoving(place: { readonly current: HTMLElement | null }): void {
  const { screen, id } = route.value;
  const before = useRef(`${screen}/${id}`);
  useEffect(() => {
    const now = `${screen}/${id}`;
    if (before.current === now) return;
    before.current = now;
    place.current?.focus({ preventScroll: true });
  }, [screen, id, place]);
}

function skipTo(event: Event, place: HTMLElement | null): void {
  event.preventDefault();
  place?.focus();
}

function ScreenKey({ entry, onPress }: { readonly entry: ScreenEntry; readonly onPress: (() => void) | null }) {
  useKey(`g ${entry.key}`, entry.key === null ? null : onPress);
  return null;
}

/** A link of somebody else's may name a tenant that this key does not belong to. */
function OtherTenant({ ownTenant }: { readonly ownTenant: string }) {
  const tenant = tenantInPath.value;
  if (tenant === null || tenant === ownTenant || mayChooseTenant.value || viewer.value === null) return null;
  return (
    <Notice tone="warn" title="This address is about another tenant.">
      <p>
        It names <bdi>{tenant}</bdi>; your key belongs to <bdi>{ownTenant}</bdi>, whose data you see. <OwnTenantLink tenant={ownTenant} />
      </p>
    </Notice>
  );
}

function OwnTenantLink({ tenant }: { readonly tenant: string }) {
  const leave = (event: Event): void => {
    event.preventDefault();
    go(hrefOf('overview', null, {}, tenant));
  };
  return (
    <a href={hrefOf('overview', null, {}, tenant)} onClick={leave}>
      Go to your own overview
    </a>
  );
}
