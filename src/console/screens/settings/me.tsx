/** Who is signed in, and what the key may do: also for whoever wonders why a button is missing. */
import { preferences } from '../../api/preferences.ts';
import { has, isOpen, signOut, viewer } from '../../api/session.ts';
import { nowMs, skewMs } from '../../api/time.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Ago } from '../../parts/moment.tsx';
import { Name } from '../../parts/name.tsx';
import { Notice, Trouble } from '../../parts/notice.tsx';
import { Panel } from '../../parts/screen.tsx';
import { clockTime, span } from '../../parts/words.ts';
import { tenantInPath } from '../../route/route.ts';
import { SCOPE_WORDS, SCOPES } from './scopes.tsx';

export function Me() {
  return (
    <div class="grid">
      <Panel title={isOpen.value ? 'Nobody has to sign in' : 'Your key'}>{isOpen.value ? <OpenServer /> : <Key />}</Panel>
      <Panel title="What you may do">
        <Scopes />
      </Panel>
    </div>
  );
}

function OpenServer() {
  return (
    <div class="stack">
      <Notice tone="warn" title="This server asks nobody for a key.">
        <p>
          Whoever reaches its address may do everything: see payloads, cancel jobs, make keys. It is meant for development. With{' '}
          <code>LEASEQUEUE_AUTH=required</code> every request needs a key; make one first.
        </p>
      </Notice>
      <dl class="facts">
        <Tenant />
        <ServerTime />
      </dl>
    </div>
  );
}

function Key() {
  const key = viewer.value?.apiKey;
  if (key === undefined) return null;
  const { name, prefix, queues, createdAt, expiresAt } = key;
  return (
    <div class="stack">
      <dl class="facts">
        <Fact name="Name">
          <Name text={name} />
        </Fact>
        <Fact name="Begins with">
          <span class="code">{prefix}</span>
        </Fact>
        <Tenant />
        <Fact name="Queues">{queues.length === 0 ? 'every queue' : <bdi class="code">{queues.join(', ')}</bdi>}</Fact>
        <Fact name="Made">
          <Ago at={createdAt} />
        </Fact>
        <Fact name="Expires">{expiresAt === null ? 'never' : <Ago at={expiresAt} />}</Fact>
        <ServerTime />
      </dl>
      <Leave />
    </div>
  );
}

function Tenant() {
  const own = viewer.value?.tenant.id ?? '';
  const named = tenantInPath.value ?? own;
  return (
    <Fact name="Tenant">
      <bdi class="code">{isOpen.value ? named : own}</bdi>
      {!isOpen.value && has('SYSTEM') && named !== own ? (
        <>
          , acting for <bdi class="code">{named}</bdi>
        </>
      ) : null}
    </Fact>
  );
}

function ServerTime() {
  const skew = skewMs.value;
  return (
    <Fact name="Server time">
      {clockTime(nowMs.value, nowMs.value, preferences.value.isUtc)}{' '}
      <span class="muted">
        {skew === 0 ? '(as in this browser)' : `(this browser's clock is ${span(Math.abs(skew) / 1_000)} ${skew > 0 ? 'behind' : 'ahead'})`}
      </span>
    </Fact>
  );
}

function Leave() {
  const out = useAction(async (notice?: string) => {
    await signOut(notice);
    return null;
  });
  return (
    <>
      <div class="row">
        <Button isBusy={out.isBusy} onPress={() => void out.start()}>
          Sign out
        </Button>
        <Button isBusy={out.isBusy} onPress={() => void out.start('Sign in with another key. The one before still works elsewhere.')}>
          Sign in with another key
        </Button>
      </div>
      {out.error === null ? null : <Trouble error={out.error} what="Signing out" isChange />}
    </>
  );
}

function Scopes() {
  return (
    <ul class="scopes">
      {SCOPES.map((scope) => (
        <li key={scope} data-has={has(scope)}>
          <span class="scope-mark" aria-hidden="true">
            {has(scope) ? '✓' : '–'}
          </span>
          <span class="code">{scope}</span>
          <span>
            <span class="hidden-words">{has(scope) ? 'Yes. ' : 'No. '}</span>
            {SCOPE_WORDS[scope]}
          </span>
        </li>
      ))}
    </ul>
  );
}
