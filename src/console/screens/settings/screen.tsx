/** Settings: who is signed in, keys, tenants, what operators did, what is hidden, and what this browser shows. The part is in the address. */
import type { FunctionComponent } from 'preact';
import { namedTenant } from '../../api/session.ts';
import { Empty } from '../../parts/notice.tsx';
import { ScreenHead } from '../../parts/screen.tsx';
import { Link } from '../../route/link.tsx';
import { route } from '../../route/route.ts';
import { Audit } from './audit.tsx';
import { Browser } from './browser.tsx';
import { Keys } from './keys.tsx';
import { Me } from './me.tsx';
import { Redaction } from './redaction.tsx';
import { TAB_NAMES, type TabName, tabOf, TABS } from './tabs.ts';
import { Tenants } from './tenants.tsx';

const PARTS: Readonly<Record<TabName, FunctionComponent>> = { me: Me, keys: Keys, tenants: Tenants, audit: Audit, redaction: Redaction, browser: Browser };

export function Screen() {
  const tab = tabOf(route.value.id);
  return (
    <>
      <ScreenHead title="Settings" name={tab === null ? 'Settings' : `${TABS[tab].title} · Settings`} />
      <nav class="tabs" aria-label="Settings">
        {TAB_NAMES.filter((name) => TABS[name].isOpen()).map((name) => (
          <Link key={name} to="settings" id={name} current={name === tab ? 'page' : undefined}>
            {TABS[name].title}
          </Link>
        ))}
      </nav>
      <Part tab={tab} />
    </>
  );
}

function Part({ tab }: { readonly tab: TabName | null }) {
  if (tab === null) return <Empty title="There is no such part of the settings." />;
  if (!TABS[tab].isOpen())
    return (
      <Empty title="Your key may not see this.">
        <p>
          It lacks a scope that this part needs. <Link to="settings">See what it may do</Link>
        </p>
      </Empty>
    );
  const Current = PARTS[tab];
  // Another tenant's keys are other keys.
  return <Current key={`${tab} ${namedTenant.value ?? ''}`} />;
}
