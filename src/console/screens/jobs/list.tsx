/** The list of jobs: find some, look at them, act on them. */
import { useEffect } from 'preact/hooks';
import type { LeaseQueueError } from '../../../client/index.ts';
import type { JobQuery } from '../../../domain/job-query/query.ts';
import { can } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { Notice, Trouble } from '../../parts/notice.tsx';
import { ScreenHead } from '../../parts/screen.tsx';
import { Table } from '../../parts/table.tsx';
import { askedParsed, askedPlace, askedText, type PagePlace, turnTo } from './asked.ts';
import { ActOnAll } from './bulk/act-on-all.tsx';
import { BulkDialog } from './bulk/dialog.tsx';
import { RunPanel } from './bulk/panel.tsx';
import { SelectionBar, usePicked } from './bulk/selection.tsx';
import { type Bulk, useBulk } from './bulk/use-bulk.ts';
import { CountLine, useCount } from './count.tsx';
import { ExportButton } from './export.tsx';
import { Chips } from './filter/chips.tsx';
import { FilterBar } from './filter/filter-bar.tsx';
import { SortChoice } from './filter/sort-choice.tsx';
import { Pager } from './pager.tsx';
import { ArrivalsButton } from './rows/arrivals-button.tsx';
import { COLUMNS } from './rows/columns.tsx';
import { Nothing } from './rows/nothing.tsx';
import { type JobsPage, LOOK_THROUGH_MAX, pageKey, useJobsPage } from './rows/page.ts';
import { counted } from '../../parts/words.ts';
import { useRows } from './rows/use-rows.ts';

export function JobsList() {
  const bulk = useBulk();
  const parsed = askedParsed.value;
  return (
    <div class="jobs">
      <ScreenHead title="Jobs" name="Jobs" />
      {bulk.run === null ? null : <RunPanel run={bulk.run} onClose={bulk.forget} />}
      <FilterBar />
      {parsed.ok ? <Found query={parsed.query} place={askedPlace.value} bulk={bulk} /> : null}
      {bulk.wish === null ? null : <BulkDialog wish={bulk.wish} onClose={bulk.leave} onStart={bulk.start} />}
    </div>
  );
}

interface FoundProps {
  readonly query: JobQuery;
  readonly place: PagePlace;
  readonly bulk: Bulk;
}

function Found({ query, place, bulk }: FoundProps) {
  const loaded = useJobsPage(query, place);
  const count = useCount(query);
  const page = loaded.value?.key === pageKey(query, place) ? loaded.value : null;
  const { rows, refusal } = useRows(loaded.value, loaded.reload);
  const picked = usePicked(askedText.value, rows);
  const isFirst = place.after === undefined && place.before === undefined;
  useFullFirstPage(page, place);
  useEffect(() => {
    if (bulk.batches > 0) count.reload();
  }, [bulk.batches, count.reload]);
  const show = (): void => {
    loaded.reload();
    count.reload();
  };
  const isAllowed = can('OPERATE');
  return (
    <>
      <Chips tasks={[...new Set(rows.map(({ task }) => task))]} />
      <div class="jobs-line">
        {isAllowed && picked.states.size > 0 ? <SelectionBar picked={picked} rows={rows} bulk={bulk} /> : <CountLine counted={count} />}
        <ArrivalsButton page={page} sort={query.sort} isFirst={isFirst} onShow={show} />
        <div class="actions jobs-line-end">
          <SortChoice query={query} />
          <ExportButton query={query} />
          {isAllowed ? <ActOnAll query={query} found={count.value?.found ?? null} bulk={bulk} /> : null}
        </div>
      </div>
      {refusal === null ? null : <Notice tone="warn" title={`Rows do not change by themselves: ${refusal}`} />}
      {loaded.error === null ? null : <Failed error={loaded.error} isFirst={isFirst} onRetry={loaded.reload} />}
      {page === null && (loaded.value === null || loaded.error !== null) ? (
        <p class="muted jobs-awaited">{loaded.error === null ? 'Looking for jobs…' : ''}</p>
      ) : rows.length === 0 ? (
        <Rowless query={query} page={page} isFirst={isFirst} />
      ) : (
        <Table
          caption="Jobs"
          rows={rows}
          keyOf={({ id }) => id}
          columns={COLUMNS}
          selection={isAllowed ? { keys: new Set(picked.states.keys()), onChange: picked.onChange } : undefined}
          isWaiting={page === null}
        />
      )}
      {page?.isCutShort === true ? <CutShort page={page} place={place} /> : null}
      {page === null ? null : <Pager page={page} sort={query.sort} isFirst={isFirst} />}
    </>
  );
}

/** Whoever pages back to the beginning gets the first page as it is now, not what happened to fit before the page that they came from. */
function useFullFirstPage(page: JobsPage | null, { before }: PagePlace): void {
  const isAtStart = before !== undefined && page !== null && !page.pageInfo.hasPreviousPage;
  useEffect(() => {
    if (isAtStart) turnTo({}, true);
  }, [isAtStart]);
}

function Rowless({ query, page, isFirst }: { readonly query: JobQuery; readonly page: JobsPage | null; readonly isFirst: boolean }) {
  if (page === null) return <p class="muted jobs-awaited">Looking for jobs…</p>;
  if (page.isCutShort) return <p class="jobs-awaited">None so far.</p>;
  if (isFirst) return <Nothing query={query} />;
  return (
    <p class="jobs-awaited">
      There are no jobs beyond this point any more. <Button onPress={() => turnTo({})}>Go to the first page</Button>
    </p>
  );
}

/** Where few jobs match, a page ends before it is full, and the person says whether to look further. */
function CutShort({ page, place }: { readonly page: JobsPage; readonly place: PagePlace }) {
  const { startCursor, endCursor } = page.pageInfo;
  const [cursor, way] = place.before === undefined ? [endCursor, 'after'] : [startCursor, 'before'];
  if (cursor === null) return null;
  return (
    <Notice title={`${counted(LOOK_THROUGH_MAX, 'job')} were looked through for this page, and there are more.`}>
      <Button onPress={() => turnTo({ [way]: cursor })}>Look further</Button>
    </Notice>
  );
}

interface FailedProps {
  readonly error: LeaseQueueError;
  readonly isFirst: boolean;
  readonly onRetry: () => void;
}

function Failed({ error, isFirst, onRetry }: FailedProps) {
  return (
    <>
      <Trouble error={error} what="Loading the jobs" onRetry={onRetry} />
      {isFirst ? null : (
        <p>
          <Button onPress={() => turnTo({})}>Go to the first page</Button>
        </p>
      )}
    </>
  );
}
