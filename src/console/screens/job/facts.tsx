/** What is fixed about a job, and what was changed of it. */
import type { ComponentChildren } from 'preact';
import type { EventFieldsFragment } from '../../../client/index.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { Ago, At } from '../../parts/moment.tsx';
import { Panel } from '../../parts/screen.tsx';
import { count, span } from '../../parts/words.ts';
import type { JobShown } from './use-job.ts';

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

export function Facts({ job, events }: { readonly job: JobShown; readonly events: readonly EventFieldsFragment[] }) {
  const { id, priority, createdAt, fence, retryBaseSeconds, retryMaxSeconds, maxAttempts, purgeAt, concurrencyKey, tags, runAt } = job;
  const submission = events.find(({ kind }) => kind === 'SUBMITTED');
  return (
    <Panel title="Facts">
      <dl class="facts">
        <Fact name="id">
          <span class="code">{id}</span> <CopyButton text={id} what="the whole id" />
        </Fact>
        <Fact name="submitted">
          <At at={createdAt} /> <span class="muted">·</span> <Ago at={createdAt} />
        </Fact>
        <Fact name="by key">
          {submission?.actor == null ? <span class="muted">{submission === undefined ? 'not known' : 'none was needed'}</span> : <bdi>{submission.actor}</bdi>}
        </Fact>
        <Fact name="run at">
          <At at={runAt} />
        </Fact>
        <Fact name="priority">{priority}</Fact>
        <Fact name="retries">{`up to ${maxAttempts} attempts, ${span(retryBaseSeconds)} after the first, doubled up to ${span(retryMaxSeconds)}`}</Fact>
        <Fact name="claims">
          {count(fence)} <span class="muted">in all: the fencing token</span>
        </Fact>
        <Fact name="concurrency key">{concurrencyKey === null ? <span class="muted">none</span> : <bdi>{concurrencyKey}</bdi>}</Fact>
        <Fact name="tags">
          {tags.length === 0 ? <span class="muted">none</span> : null}
          {tags.map(({ key, value }) => (
            <span class="chip" key={key} title={`${key}: ${value}`}>
              <bdi>{key}</bdi>: <bdi>{value}</bdi>
            </span>
          ))}
        </Fact>
        <Fact name="removed">
          {purgeAt === null ? (
            <span class="muted">{job.finishedAt === null ? 'not before it has ended' : 'never by itself'}</span>
          ) : (
            <>
              <Ago at={purgeAt} /> <span class="muted">·</span> <At at={purgeAt} />
            </>
          )}
        </Fact>
      </dl>
    </Panel>
  );
}
