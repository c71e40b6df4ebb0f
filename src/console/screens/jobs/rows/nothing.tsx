/** A list without rows: what to do about it. */
import { JOB_STATES } from '../../../../domain/job.ts';
import { printJobQuery, printTerm } from '../../../../domain/job-query/print.ts';
import { type JobQuery, subjectOf, type Term, withoutSubject } from '../../../../domain/job-query/query.ts';
import { lq } from '../../../api/session.ts';
import { nowMs } from '../../../api/time.ts';
import { useLoaded } from '../../../api/use-loaded.ts';
import { figures } from '../../../frame/figures.ts';
import { Button } from '../../../parts/button.tsx';
import { Command } from '../../../parts/copy.tsx';
import { followCommand, submitCommand, workerCommand } from '../../../parts/next-commands.ts';
import { Empty } from '../../../parts/notice.tsx';
import { ask, askedQuery } from '../asked.ts';
import { countWords } from '../count.tsx';
import { filterOf } from '../filter-of.ts';
import { LOOK_THROUGH_MAX } from './page.ts';

const TERMS_TRIED = 5;

export function Nothing({ query }: { readonly query: JobQuery }) {
  return query.terms.length === 0 ? <NoJobs query={query} /> : <NothingMatches query={query} />;
}

function NoJobs({ query: { sort } }: { readonly query: JobQuery }) {
  const hasJobs = figures.value !== null && JOB_STATES.some((state) => (figures.value?.counts[state] ?? 0) > 0);
  if (hasJobs) return <Empty title={sort === 'next' ? 'No job is waiting.' : sort === 'finished' ? 'No job has ended yet.' : 'No jobs here.'} />;
  return (
    <Empty title="No jobs yet.">
      <p>Submit one, start a worker for it, and watch what happens:</p>
      <Command what="the command that submits a job" text={submitCommand()} />
      <Command what="the command that starts a worker" text={workerCommand()} />
      <Command what="the command that follows events" text={followCommand()} />
    </Empty>
  );
}

interface Tried {
  readonly term: Term;
  readonly words: string;
  readonly isAny: boolean;
}

/** Says which term removes everything: the list is counted without each. */
function NothingMatches({ query }: { readonly query: JobQuery }) {
  const { value } = useLoaded(`without ${printJobQuery(query)}`, (signal) => tryWithout(query, signal));
  return (
    <Empty title="Nothing matches.">
      {query.terms.length === 1 ? null : <Tries tried={value} />}
      <p>
        <Button onPress={() => ask({ ...query, terms: [] })}>Clear the filter</Button>
      </p>
    </Empty>
  );
}

async function tryWithout(query: JobQuery, signal: AbortSignal): Promise<readonly Tried[]> {
  const tried: Tried[] = [];
  if (query.terms.length < 2) return tried;
  for (const term of query.terms.slice(0, TERMS_TRIED)) {
    const filter = filterOf(withoutSubject(query, subjectOf(term)), nowMs.peek());
    const found = await lq.value.countJobs(filter, { signal, lookThroughMax: LOOK_THROUGH_MAX });
    tried.push({ term, words: countWords(found), isAny: found.value > 0 });
  }
  return tried;
}

function Tries({ tried }: { readonly tried: readonly Tried[] | null }) {
  if (tried === null) return <p>Looking which term removes everything…</p>;
  const helping = tried.filter(({ isAny }) => isAny);
  if (helping.length === 0) return <p>No single term is to blame: without any one of them there is still nothing.</p>;
  return (
    <ul class="stack">
      {helping.map(({ term, words }) => (
        <li key={subjectOf(term)}>
          Without <bdi class="code">{printTerm(term)}</bdi>: {words}{' '}
          <Button onPress={() => ask(withoutSubject(askedQuery.value, subjectOf(term)))} label={`Remove ${printTerm(term)}`}>
            Remove
          </Button>
        </li>
      ))}
    </ul>
  );
}
