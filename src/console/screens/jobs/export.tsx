/** Everything that matches as JSON Lines, made by this browser page by page and kept as a file. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { JobQuery } from '../../../domain/job-query/query.ts';
import { canonicalJson } from '../../../domain/json.ts';
import { systemClock } from '../../../runtime/clock.ts';
import { can, lq } from '../../api/session.ts';
import { nowMs } from '../../api/time.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { Trouble } from '../../parts/notice.tsx';
import { count, counted } from '../../parts/words.ts';
import { filterOf, ORDERS } from './filter-of.ts';

const PAGE_JOBS = 100;
const JOBS_MAX = 10_000;
/** A browser has taken the file over by then. */
const KEPT_MS = 60_000;

export function ExportButton({ query }: { readonly query: JobQuery }) {
  const { isBusy, error, read, start, stop } = useExport(query);
  if (isBusy)
    return (
      <>
        <span class="muted jobs-exporting">{`Exporting ${count(read)}…`}</span>
        <Button onPress={stop}>Stop the export</Button>
      </>
    );
  return (
    <>
      <Button onPress={() => void start()} title={`JSON Lines, up to ${count(JOBS_MAX)} jobs, in the order shown`}>
        Export
      </Button>
      {error === null ? null : <Trouble error={error} what="The export" />}
    </>
  );
}

function useExport(query: JobQuery) {
  const read = useSignal(0);
  const over = useRef<AbortController | null>(null);
  useEffect(() => () => over.current?.abort(), []);
  const action = useAction(async () => {
    over.current = new AbortController();
    const { signal } = over.current;
    read.value = 0;
    try {
      const { file, hasMore } = await readAll(query, signal, (jobs) => (read.value = jobs));
      save(file, `jobs-${new Date(nowMs.peek()).toISOString().slice(0, 19).replaceAll(':', '')}.jsonl`);
      return exportedWords(read.value, hasMore);
    } catch (error) {
      if (signal.aborted) return 'The export was stopped. No file was made.';
      throw error;
    }
  });
  return { ...action, read: read.value, stop: () => over.current?.abort() };
}

function exportedWords(jobs: number, hasMore: boolean): string {
  const more = hasMore ? ` There are more: the command line exports all of them.` : '';
  const redacted = can('PAYLOADS') ? '' : ' Payloads and results are kept from your key: they are null.';
  return `Exported ${counted(jobs, 'job')}.${more}${redacted}`;
}

interface Read {
  readonly file: Blob;
  readonly hasMore: boolean;
}

async function readAll(query: JobQuery, signal: AbortSignal, onRead: (jobs: number) => void): Promise<Read> {
  const asked = { filter: filterOf(query, nowMs.peek()), orderBy: ORDERS[query.sort], first: PAGE_JOBS };
  const parts: Blob[] = [];
  for (let [jobs, after] = [0, undefined as string | undefined]; ; ) {
    const { nodes, pageInfo } = await lq.value.jobDetails({ ...asked, after }, { signal });
    // A blob of its own for each page: a browser may keep those out of its memory.
    parts.push(new Blob(nodes.map((job) => `${canonicalJson(job)}\n`)));
    jobs += nodes.length;
    onRead(jobs);
    if (!pageInfo.hasNextPage || jobs >= JOBS_MAX) return { file: new Blob(parts, { type: 'application/jsonl' }), hasMore: pageInfo.hasNextPage };
    after = pageInfo.endCursor ?? undefined;
  }
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  void systemClock.sleep(KEPT_MS).then(() => URL.revokeObjectURL(url));
}
