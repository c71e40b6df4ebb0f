/** What a job was given and what came out: as a tree or as the text itself, with its size. */
import type { ComponentChildren } from 'preact';
import type { JobContentQuery } from '../../../client/index.ts';
import { JobContentDocument } from '../../../client/generated/graphql.ts';
import { canonicalJson, utf8Bytes } from '../../../domain/json.ts';
import { lq } from '../../api/session.ts';
import { type Loaded, useLoaded } from '../../api/use-loaded.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { jsonText } from '../../parts/json-field.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { Notice, Trouble } from '../../parts/notice.tsx';
import { Panel } from '../../parts/screen.tsx';
import { bytes } from '../../parts/words.ts';
import { route, setSearch } from '../../route/route.ts';
import type { JobShown } from './use-job.ts';

export type JobContent = JobContentQuery['job'];

/** Asked again only where they can have changed: they do when a job ends, and when it is redriven. */
export function useContent({ id, finishedAt }: Pick<JobShown, 'id' | 'finishedAt'>): Loaded<JobContent> {
  const load = async (signal: AbortSignal): Promise<JobContent> => (await lq.value.caller.call(JobContentDocument, { id }, { isRepeatable: true, signal })).job;
  return useLoaded(`${id} ${finishedAt}`, load, { isKept: true });
}

export function Content({ content: { value, error, isLoading, reload } }: { readonly content: Loaded<JobContent> }) {
  if (error !== null) return <Trouble error={error} what="Loading payload and result" onRetry={reload} />;
  if (value?.payloadRedacted === true) return <Redacted />;
  if (value === null && !isLoading) return <Unread />;
  return (
    <>
      {value == null || value.redactedPaths.length === 0 ? null : <Hidden paths={value.redactedPaths} />}
      <ValuePanel title="Payload" what="the payload" value={value?.payload} />
      {value == null || value.result === null ? null : <ValuePanel title="Result" what="the result" value={value.result} />}
    </>
  );
}

/** Redaction rules name places of payloads that nobody sees but the worker. */
function Hidden({ paths }: { readonly paths: readonly string[] }) {
  return (
    <Notice title="Redaction rules hide a part of the payload.">
      <p>
        <bdi class="code">{paths.join(', ')}</bdi>. Its worker gets all of it, and an edited payload keeps what is hidden.
      </p>
    </Notice>
  );
}

function Redacted() {
  return (
    <Panel title="Payload">
      <p class="muted">
        Payload and result are kept from your key: it lacks the scope <span class="code">PAYLOADS</span>. They are stored, and its worker gets them.
      </p>
    </Panel>
  );
}

function Unread() {
  return (
    <Panel title="Payload">
      <p class="muted">The job was gone before its payload was read.</p>
    </Panel>
  );
}

interface ValuePanelProps {
  readonly title: string;
  readonly what: string;
  /** Undefined: not loaded yet. */
  readonly value: unknown;
}

function ValuePanel({ title, what, value }: ValuePanelProps) {
  const isRaw = route.value.search.get('json') === 'raw';
  if (value == null)
    return (
      <Panel title={title}>
        <p class="muted">{value === null ? 'None.' : 'Loading…'}</p>
      </Panel>
    );
  const text = canonicalJson(value);
  return (
    <Panel
      title={
        <>
          {title} <span class="muted small">{bytes(utf8Bytes(text))}</span>
        </>
      }
      aside={
        <div class="row middle">
          <Button tone="quiet" isPressed={isRaw} label={`${title} as raw JSON`} onPress={() => setSearch({ json: isRaw ? null : 'raw' })}>
            Raw JSON
          </Button>
          <CopyButton text={jsonText(value)} what={what} />
        </div>
      }
    >
      {isRaw ? <RawJson label={`${title} as JSON`}>{jsonText(value)}</RawJson> : <JsonView value={value} />}
    </Panel>
  );
}

function RawJson({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <pre class="raw-json" tabIndex={0} role="group" aria-label={label}>
      <bdi>{children}</bdi>
    </pre>
  );
}
