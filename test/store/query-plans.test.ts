import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { ALICE, CALLER, claimOf, claimOne, openTestStore, submission, submitOne, temporaryFolder } from '../support/store.ts';

const PAGE = { after: null, before: null, limit: 20, fromEnd: false };
const NO_DETAILS = { type: null, message: 'no', detailsJson: null };

/** A queue as it looks after a while: due, delayed, running, retrying, finished. */
async function populate(store: LeaseRepository): Promise<void> {
  const due = Array.from({ length: 300 }, (_, index) =>
    submission({ priority: index % 5, task: index % 2 === 0 ? 'even' : 'odd', tags: [{ key: 'n', value: String(index % 7) }] }),
  );
  const delayed = Array.from({ length: 300 }, () => submission({ priority: 100, start: { inSeconds: 86_400 } }));
  await store.submit(ALICE, CALLER, due, false);
  await store.submit(ALICE, CALLER, delayed, false);
  const { leases } = await store.claim(ALICE, CALLER, claimOf({ max: 60 }));
  await store.complete(
    ALICE,
    CALLER,
    leases.slice(0, 40).map(({ job, leaseToken }) => ({ jobId: job.id, leaseToken, resultJson: null })),
  );
  for (const { job, leaseToken } of leases.slice(40, 50))
    await store.fail(ALICE, CALLER, { jobId: job.id, leaseToken, error: NO_DETAILS, retry: { never: true } });
}

type Work = (store: LeaseRepository, clock: ManualClock) => Promise<unknown>;

/** Every statement that `work` runs on the store, with its plan as SQLite tells it. */
async function plansOf(work: Work): Promise<readonly { readonly statement: string; readonly plan: string }[]> {
  using folder = temporaryFolder();
  const statements: string[] = [];
  const { store, clock } = await openTestStore({ path: folder.file('x.db'), onStatement: (text) => statements.push(text) });
  await populate(store);
  statements.length = 0;
  await work(store, clock);
  const explainer = new Database(folder.file('x.db'), { readonly: true });
  const plans = statements
    .filter((text) => /^(select|update|delete|insert|with)/i.test(text))
    .map((statement) => ({
      statement,
      plan: explainer
        .prepare<[], { detail: string }>(`explain query plan ${statement}`)
        .all()
        .map(({ detail }) => detail)
        .join('\n'),
    }));
  explainer.close();
  await store.close();
  return plans;
}

/** Tables that grow with the number of jobs: reading one of these from end to end is never right, nor all that a tenant has of jobs. */
const GROWING = /\bSCAN (jobs|events|attempts|job_tags)\b|\bSEARCH jobs USING (COVERING )?INDEX \w+ \(tenant_id=\?\)/;

describe('a claim', () => {
  test('finds its jobs in the index of due jobs alone, in order, and sorts nothing', async () => {
    const plans = await plansOf((store) => store.claim(ALICE, CALLER, claimOf({ max: 10 })));
    const locating = plans.filter(({ statement }) => /^select \* from "jobs".*'due'/.test(statement));
    expect(locating.map(({ plan }) => plan)).toEqual(['SEARCH jobs USING INDEX jobs_due (tenant_id=? AND queue_name=?)']);
    expect(plans.filter(({ plan }) => GROWING.test(plan) || plan.includes('TEMP B-TREE'))).toEqual([]);
  });

  test('for named tasks reads one range per task', async () => {
    const plans = await plansOf((store) => store.claim(ALICE, CALLER, claimOf({ tasks: ['odd', 'none'] })));
    const locating = plans.filter(({ statement }) => /^select \* from "jobs".*'due'/.test(statement));
    expect(locating.map(({ plan }) => plan)).toEqual(
      Array.from({ length: 2 }, () => 'SEARCH jobs USING INDEX jobs_due_by_task (tenant_id=? AND queue_name=? AND task=?)'),
    );
  });

  test('lets delayed jobs in and recovers leases through indexes of their own', async () => {
    const plans = await plansOf((store, clock) => {
      clock.advance(86_400_000);
      return store.claim(ALICE, CALLER, claimOf());
    });
    const promoting = plans.filter(({ statement }) => /^update "jobs" set "waiting"/.test(statement)).map(({ plan }) => plan);
    expect(promoting.length).toBeGreaterThan(0);
    for (const plan of promoting)
      expect(plan).toMatch(
        /^SEARCH jobs USING INTEGER PRIMARY KEY \(rowid=\?\)\n.*\nSEARCH jobs USING COVERING INDEX jobs_delayed \(tenant_id=\? AND queue_name=\? AND run_at_ms<\?\)$/,
      );
    expect(plans.filter(({ statement }) => statement.includes('"dueAtMs"')).map(({ plan }) => plan)).toContainEqual(
      expect.stringMatching(/^(?!.*TEMP B-TREE).*jobs_delayed \(tenant_id=\? AND queue_name=\?\)$/s),
    );
    expect(plans.filter(({ statement }) => /^select \* from "jobs".*"lease_expires_at_ms" </.test(statement)).map(({ plan }) => plan)).toContainEqual(
      expect.stringContaining('INDEX jobs_leased (tenant_id=? AND queue_name=? AND lease_expires_at_ms<?)'),
    );
  });
});

test('an operation on a job finds it by the event that its id names', async () => {
  const plans = await plansOf(async (store) => store.cancel(ALICE, CALLER, { jobId: await submitOne(store, ALICE), reason: null, force: false }));
  const locating = plans.filter(({ statement }) => /^select \* from "jobs".*"id" = /.test(statement));
  expect(locating.map(({ plan }) => plan)).toEqual([
    'SEARCH jobs USING INTEGER PRIMARY KEY (rowid=?)\nSCALAR SUBQUERY 1\nSEARCH events USING PRIMARY KEY (tenant_id=? AND seq=?)',
  ]);
});

test('jobs are read by their ids through the log, and through the index of old ids', async () => {
  const plans = await plansOf(async (store) => {
    const id = await submitOne(store, ALICE);
    const job = await store.jobById(ALICE, id);
    if (job !== null) await store.attempts(ALICE, job, PAGE);
    await store.eventsAfter(ALICE, null, { jobIds: [id] }, 100);
    await store.timeline(ALICE, id, null, 100);
    await store.bulk(ALICE, CALLER, { target: { ids: [id, 'none'] }, action: { name: 'cancel', reason: null, force: false }, limit: 10, dryRun: true });
  });
  const reading = plans.filter(({ statement }) => statement.includes('"old_id" = 1'));
  expect(reading.length).toBeGreaterThan(4);
  for (const { plan } of reading) {
    expect(plan).toContain('SEARCH events USING PRIMARY KEY (tenant_id=? AND seq=?)');
    expect(plan).toContain('SEARCH jobs USING COVERING INDEX jobs_by_old_id (tenant_id=? AND id=?)');
    expect(plan).toContain('SEARCH jobs USING INTEGER PRIMARY KEY (rowid=?)');
  }
});

test('a timeline follows the chain of its events, and never searches the log for them', async () => {
  const plans = await plansOf(async (store) => {
    const [first] = (await store.jobs(ALICE, { states: ['completed'] }, 'newest_first', PAGE)).rows;
    return store.timeline(ALICE, first?.row.id ?? '', null, 100);
  });
  const [chain] = plans.filter(({ statement }) => statement.includes('recursive'));
  expect(chain?.plan).toMatch(/RECURSIVE STEP\nSCAN chain\nSEARCH events USING PRIMARY KEY \(tenant_id=\? AND seq=\?\)/);
});

describe('no operation reads a growing table from end to end', () => {
  const operations: Readonly<Record<string, Work>> = {
    'submission with a key': (store) => store.submit(ALICE, CALLER, [submission({ idempotencyKey: 'k' })], false),
    'heartbeat and completion': async (store) => {
      const { job, leaseToken } = await claimOne(store, ALICE);
      await store.heartbeat(ALICE, CALLER, [{ jobId: job.id, leaseToken, extendSeconds: null, progress: null }]);
      await store.complete(ALICE, CALLER, [{ jobId: job.id, leaseToken, resultJson: null }]);
    },
    'repeated claim': (store) => store.claim(ALICE, CALLER, claimOf({ requestId: 'r' })),
    cancel: async (store) => store.cancel(ALICE, CALLER, { jobId: await submitOne(store, ALICE), reason: null, force: false }),
    'bulk redrive': (store) =>
      store.bulk(ALICE, CALLER, { target: { filter: { states: ['dead'] } }, action: { name: 'redrive', start: null }, limit: 100, dryRun: false }),
    purge: (store) => store.bulk(ALICE, CALLER, { target: { filter: { queues: ['q'] } }, action: { name: 'purge' }, limit: 5, dryRun: false }),
    sweep: (store, clock) => {
      clock.advance(60_000);
      return store.sweep();
    },
    retention: (store) => store.retain(),
    stats: (store) => store.stats(ALICE),
    'queue stats': (store) => store.queueStats(ALICE, 'q'),
    'stats of queues': (store) => store.statsOfQueues(ALICE, ['q', 'r', 's']),
    'troubled queues': (store) => store.troubledQueues(ALICE, 50),
    'troubled queues of a key': (store) => store.troubledQueues(ALICE, 50, ['q', 'r']),
    'queues by prefix': (store) => store.queues(ALICE, PAGE, 'q'),
    'series of a queue': (store) => store.series(ALICE, ['q'], 'day'),
    'series of a tenant': (store) => store.series(ALICE, null, 'week'),
    'moving series on': async (store, clock) => {
      for (const hours of [1, 30, 300]) {
        clock.advance(hours * 3_600_000);
        while ((await store.retain()).hasMore);
      }
    },
    'metrics page': (store) => store.gauges(200),
    events: (store) => store.eventsAfter(ALICE, null, {}, 100),
    'newest events': (store) => store.eventsAfter(ALICE, null, {}, 100, true),
    'newest events of a queue': (store) => store.eventsAfter(ALICE, null, { queues: ['q'] }, 100, true),
    'newest jobs': (store) => store.jobs(ALICE, {}, 'newest_first', PAGE),
    'newest jobs of a queue': (store) => store.jobs(ALICE, { queues: ['q'] }, 'newest_first', PAGE),
    'running jobs': (store) => store.jobs(ALICE, { states: ['running'] }, 'newest_first', PAGE),
    'next to run': (store) => store.jobs(ALICE, {}, 'next_to_run', PAGE),
    'dead letters': (store) => store.jobs(ALICE, { states: ['dead'] }, 'newest_first', PAGE),
    'recently finished': (store) => store.jobs(ALICE, {}, 'recently_finished', PAGE),
    'jobs by tag': (store) => store.jobs(ALICE, { tags: [{ key: 'n', value: '3' }] }, 'newest_first', PAGE),
    workers: (store) => store.workers(ALICE, 0),
    'groups of dead letters': (store) => store.deadLetterGroups(ALICE, { queues: ['q'] }, 'count', PAGE),
    'jobs of a group': (store) => store.jobs(ALICE, { deadLetterGroups: ['a', 'b'] }, 'newest_first', PAGE),
    'workers of some queues': (store) => store.workers(ALICE, 0, { queues: ['q'] }),
    'workers by state': (store) => store.workers(ALICE, 0, { states: ['active', 'silent', 'gone'], after: 'a', limit: 10 }),
    'jobs of a worker': (store) => store.jobs(ALICE, { workerIds: ['w'] }, 'newest_first', PAGE),
    'leases by expiry': (store) => store.jobs(ALICE, {}, 'lease_expiry', PAGE, 10),
    'jobs by tag, next to run': (store) => store.jobs(ALICE, { tags: [{ key: 'n', value: '3' }] }, 'next_to_run', PAGE),
    'a bounded search': (store) => store.jobs(ALICE, { tasks: ['none'] }, 'newest_first', PAGE, 10),
    'count by tag': (store) => store.countJobs(ALICE, { tags: [{ key: 'n', value: '3' }] }),
    'audit log': (store) => store.operatorActions(ALICE, ['pause_queue'], PAGE),
    'redaction rules': (store) => store.redactionRules(ALICE),
    'redrive with a hidden value': async (store) => {
      const [dead] = (await store.jobs(ALICE, { states: ['dead'] }, 'newest_first', PAGE)).rows;
      return store.redrive(ALICE, CALLER, { jobId: dead?.row.id ?? '', start: null, maxAttempts: null, payloadJson: '{"a":"[redacted]"}' });
    },
  };

  test.each(Object.entries(operations))('%s', async (_name, work) => {
    const plans = await plansOf(work);
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.filter(({ plan }) => GROWING.test(plan))).toEqual([]);
  });
});

test('the audit log is read in its order, and what is old in it is found by age', async () => {
  const plans = await plansOf(async (store) => {
    await store.operatorActions(ALICE, null, PAGE);
    await store.pauseQueue(ALICE, CALLER, 'q', null);
    await store.retain();
  });
  const found = plans.filter(({ statement }) => statement.includes('"operator_actions"')).map(({ plan }) => plan);
  expect(found.length).toBeGreaterThan(3);
  for (const plan of found) expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  expect(found).toContainEqual(expect.stringContaining('operator_actions_by_age (at_ms<?)'));
});

describe('a list in an order that no single index has', () => {
  const lists: Readonly<Record<string, Work>> = {
    'newest of all states': (store) => store.jobs(ALICE, {}, 'newest_first', PAGE),
    'newest of a queue': (store) => store.jobs(ALICE, { queues: ['q'] }, 'newest_first', PAGE),
  };

  test.each(Object.entries(lists))('%s: is merged from parts that are read in order', async (_name, work) => {
    const plans = await plansOf(work);
    const list = plans.filter(({ statement }) => statement.includes('"merged"'));
    expect(list).toHaveLength(1);
    for (const { plan } of list) {
      const [outer, ...parts] = plan.split('\n').filter((line) => line.startsWith('SEARCH jobs'));
      expect(outer).toBe('SEARCH jobs USING INTEGER PRIMARY KEY (rowid=?)');
      expect(parts.length).toBeGreaterThan(1);
      for (const part of parts) expect(part).toMatch(/INDEX jobs_(by_state|by_queue) \(.*state=\?\)|INDEX jobs_leased \(tenant_id=\? AND queue_name/);
    }
  });

  const OF_QUEUE = '(tenant_id=? AND queue_name=?';
  const PRIORITIES = [`jobs_due ${OF_QUEUE})`, `jobs_due ${OF_QUEUE} AND priority<?)`];
  const waiting = (range: string): readonly string[] => [`jobs_due ${OF_QUEUE} AND priority=?${range})`, `jobs_delayed ${OF_QUEUE}${range})`];
  const walks: Readonly<Record<string, readonly [Work, looks: readonly string[]]>> = {
    'next to run': [(store) => store.jobs(ALICE, {}, 'next_to_run', PAGE), [...PRIORITIES, ...waiting(''), ...waiting(' AND run_at_ms>?')]],
    'next to run, backwards, of some queues': [
      (store) => store.jobs(ALICE, { queues: ['q', 'r'] }, 'next_to_run', { ...PAGE, fromEnd: true }),
      [...PRIORITIES, ...waiting(''), ...waiting(' AND run_at_ms<?')],
    ],
    'next to run, of a range, after a place': [
      (store) => store.jobs(ALICE, { runAt: { fromMs: 5, toMs: 9 } }, 'next_to_run', { ...PAGE, after: [6, 7] }),
      [...PRIORITIES, ...waiting(' AND run_at_ms>? AND run_at_ms<?'), ...waiting(' AND run_at_ms>? AND run_at_ms<?')],
    ],
    'next to run, of some tasks and states': [
      (store) => store.jobs(ALICE, { tasks: ['even', 'odd'], states: ['queued', 'retry'] }, 'next_to_run', PAGE),
      [...PRIORITIES, ...waiting(''), ...waiting(' AND run_at_ms>?')],
    ],
    'leases by expiry': [
      (store) => store.jobs(ALICE, { workerIds: ['w'] }, 'lease_expiry', PAGE),
      Array.from({ length: 2 }, () => `jobs_leased ${OF_QUEUE} AND lease_expires_at_ms>?)`),
    ],
  };
  test.each(Object.entries(walks))('%s: is walked along the lanes of the queues, each from the job that was found last', async (_name, [work, looks]) => {
    const plans = await plansOf(work);
    expect(plans).toHaveLength(1);
    const [plan = ''] = plans.map((one) => one.plan);
    expect(looksInto(plan)).toEqual(looks);
    expect(plan).not.toMatch(/SCAN (jobs|queue_counters)/);
    // What was come to is put in order once more, and nothing before.
    expect(plan.slice(0, plan.lastIndexOf('SCAN head'))).not.toContain('TEMP B-TREE');
  });

  const figures: Readonly<Record<string, Work>> = {
    'of a tenant': (store) => store.stats(ALICE),
    'of queues': (store) => store.statsOfQueues(ALICE, ['q', 'r']),
    'of troubled queues': (store) => store.troubledQueues(ALICE, 50),
    'of the metrics page': (store) => store.gauges(1),
  };
  test.each(Object.entries(figures))(
    'the age of the oldest due job, %s: is that of the first one of each priority, which are found by one look each',
    async (_name, work) => {
      const [found, ...others] = (await plansOf(work)).filter(({ statement }) => statement.includes("'due'"));
      expect(others).toEqual([]);
      expect(looksInto(found?.plan ?? '')).toEqual([...PRIORITIES, `jobs_due ${OF_QUEUE} AND priority=?)`]);
      const looks = found?.plan.slice(found.plan.indexOf('CO-ROUTINE step')) ?? '';
      expect(looks.match(/(SEARCH|SCAN) jobs/g)).toHaveLength(3);
      expect(looks).not.toContain('TEMP B-TREE');
      // None reads on behind the first one that it finds.
      expect(found?.statement.match(/order by "jobs"\."(priority" desc|run_at_ms") limit /g)).toHaveLength(3);
    },
  );
});

/** Into which indexes of jobs a plan looks, in its order. */
function looksInto(plan: string): readonly string[] {
  return plan.split('\n').flatMap((line) => /^SEARCH jobs USING (?:COVERING )?INDEX (.*)$/.exec(line)?.[1] ?? []);
}

describe('jobs of a group of dead letters are found in the index of groups alone', () => {
  const groups = { deadLetterGroups: ['a', 'b'] };
  const of = (filter: object, limit = 1) => ({ target: { filter }, limit, dryRun: true }) as const;
  const ways: Readonly<Record<string, Work>> = {
    'newest first': (store) => store.jobs(ALICE, groups, 'newest_first', PAGE),
    'oldest first, of a queue and a time': (store) =>
      store.jobs(ALICE, { ...groups, queues: ['q'], states: ['dead'], createdAt: { fromMs: 0, toMs: null } }, 'oldest_first', PAGE),
    'recently finished': (store) => store.jobs(ALICE, { ...groups, queues: ['q'] }, 'recently_finished', PAGE),
    'to be redriven': (store) => store.bulk(ALICE, CALLER, { ...of(groups), action: { name: 'redrive', start: null } }),
    'to be purged, of a queue': (store) => store.bulk(ALICE, CALLER, { ...of({ ...groups, queues: ['q'] }), action: { name: 'purge' } }),
  };
  test.each(Object.entries(ways))('%s', async (_name, work) => {
    const list = (await plansOf(work)).filter(({ statement }) => statement.includes('"jobs"'));
    expect(list).toHaveLength(1);
    for (const { plan } of list) {
      const [outer, ...parts] = plan.split('\n').filter((line) => line.includes(' jobs'));
      expect(outer).toBe('SEARCH jobs USING INTEGER PRIMARY KEY (rowid=?)');
      expect(parts).toHaveLength(2);
      for (const part of parts) expect(part).toMatch(/^SEARCH jobs USING (COVERING )?INDEX jobs_by_dead_group(_end)? \(tenant_id=\? AND dead_group=\?\)$/);
    }
  });

  test('a list in the order of claims has none', async () => {
    const plans = await plansOf((store) => store.jobs(ALICE, groups, 'next_to_run', PAGE));
    expect(plans.filter(({ plan }) => plan.includes('SEARCH jobs') && !plan.includes('rowid'))).toEqual([]);
  });
});

test('a page of groups is read in its order', async () => {
  for (const order of ['count', 'recent'] as const) {
    const plans = await plansOf((store) => store.deadLetterGroups(ALICE, {}, order, { ...PAGE, after: [7, 'x'] }));
    const [list] = plans.filter(({ statement }) => statement.includes('"dead_groups"'));
    expect(list?.plan).toMatch(/^SEARCH dead_groups USING INDEX dead_groups_by_(count|last) \(tenant_id=\? AND \((count|last_at_ms),id\)<\(\?,\?\)\)$/);
  }
});

test('a count looks at the jobs of each state by index, from the place where its look ends', async () => {
  const plans = await plansOf((store) => store.countJobs(ALICE, { tasks: ['odd'] }, 10));
  const counts = plans.filter(({ statement }) => statement.includes('"capped"'));
  const edges = plans.filter(({ statement }) =>
    /^select "jobs"."seq" .* order by "jobs"."seq" desc limit \S+ offset/.test(statement.replaceAll(/\(\d+\.0 \+ 0\)/g, '1')),
  );
  expect(counts.length).toBeGreaterThan(1);
  expect(edges.length).toBeGreaterThan(1);
  for (const { plan } of [...counts, ...edges]) expect(plan).toMatch(/SEARCH jobs USING (COVERING )?INDEX jobs_(by_state|leased)/);
  expect(counts.filter(({ plan }) => plan.includes('seq>'))).not.toEqual([]);
});

describe('who holds what', () => {
  test('is read from the index of leases alone, and silent workers from the index of silence', async () => {
    const plans = await plansOf((store) => store.workers(ALICE, 0, { states: ['silent', 'active'], limit: 10 }));
    const held = plans.filter(({ statement }) => statement.includes('group by "lease_worker_id"'));
    expect(held.map(({ plan }) => plan)).toEqual([expect.stringContaining('USING COVERING INDEX jobs_leased (tenant_id=? AND queue_name>?)')]);
    const [silent] = await plansOf((store) => store.workers(ALICE, 0, { states: ['silent'], limit: 10 }));
    expect(silent?.plan).toMatch(/SEARCH workers USING PRIMARY KEY \(tenant_id=\? AND id=\?\)/);
    expect(silent?.plan).toMatch(/SEARCH silent USING INDEX workers_by_silence \(tenant_id=\? AND silent_at_ms>\? AND silent_at_ms<\?\)/);
    expect(silent?.plan).toMatch(/SEARCH jobs USING COVERING INDEX jobs_leased \(tenant_id=\? AND queue_name=\? AND lease_expires_at_ms<\?\)/);
  });
});

describe('a page that looks through a bounded number of jobs', () => {
  const RARE = { tasks: ['none'] };
  test.each(['newest_first', 'oldest_first', 'recently_finished'] as const)(
    '%s: finds where its look ends in the index of the order, and reads no row for it',
    async (order) => {
      const plans = await plansOf((store) => store.jobs(ALICE, RARE, order, PAGE, 5));
      const [edge] = plans.filter(({ statement }) => / offset /.test(statement));
      expect(edge?.plan).not.toContain('SCAN jobs');
      expect(edge?.statement).not.toContain('"task"');
      const [list] = plans.filter(({ statement }) => statement.includes('"merged"'));
      expect(list?.plan).toMatch(/INDEX jobs_(by_state|finished|leased) \([^)]*(seq|_at_ms|,seq\))/);
    },
  );

  test.each([
    ['next_to_run', 'run_at_ms', ['jobs_due', 'jobs_delayed'], ['jobs_due_by_task', 'jobs_delayed']],
    ['lease_expiry', 'lease_expires_at_ms', ['jobs_leased'], ['jobs_leased']],
  ] as const)(
    '%s: walks along the lanes to where its look ends, whatever matches, and no further for those that do',
    async (order, column, ofAll, ofMatching) => {
      const [edge, list] = await plansOf((store) => store.jobs(ALICE, RARE, order, PAGE, 5));
      expect(edge?.statement).toMatch(/ offset /);
      expect(edge?.statement).not.toContain('"task"');
      for (const index of ofAll) expect(edge?.plan).toMatch(new RegExp(`USING COVERING INDEX ${index} \\([^)]*${column}>\\?`));
      expect(list?.statement).toContain('"task"');
      for (const index of ofMatching) expect(list?.plan).toMatch(new RegExp(`USING (COVERING )?INDEX ${index} \\([^)]*${column}>\\? AND ${column}<\\?`));
    },
  );

  test('next_to_run: counts what it looked through in the indexes alone', async () => {
    const plans = await plansOf((store) => store.jobs(ALICE, { tasks: ['odd'] }, 'next_to_run', { ...PAGE, limit: 3 }, 20));
    const [count] = plans.filter(({ statement }) => statement.includes('count(*)'));
    for (const range of ['jobs_due (tenant_id=? AND queue_name=? AND priority=?', 'jobs_delayed (tenant_id=? AND queue_name=?'])
      expect(count?.plan).toContain(`SEARCH jobs USING COVERING INDEX ${range} AND run_at_ms<?)`);
    expect(count?.plan.match(/(SEARCH|SCAN) jobs/g)).toHaveLength(4);
  });

  test('of a range of times counts what it looked through between the cursor and the end of its look, not to the end of the range', async () => {
    const range = { finishedAt: { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER - 1 }, states: ['completed' as const] };
    const all = await plansOf((store) => store.jobs(ALICE, range, 'recently_finished', { ...PAGE, limit: 3 }, 20));
    const [count] = all.filter(({ statement }) => statement.includes('count(*)'));
    expect(count?.plan).toContain('USING COVERING INDEX jobs_finished (tenant_id=? AND finished_at_ms>? AND finished_at_ms<?)');
    const [, fromMs] = /"finished_at_ms" >= \+?(\d+)/.exec(count?.statement ?? '') ?? [];
    expect(Number(fromMs)).toBeGreaterThan(0);
  });

  test('of which every one matches is one statement', async () => {
    for (const order of ['newest_first', 'next_to_run', 'lease_expiry', 'recently_finished'] as const)
      expect(await plansOf((store) => store.jobs(ALICE, {}, order, { ...PAGE, limit: 3 }, 5))).toHaveLength(1);
    expect(await plansOf((store) => store.jobs(ALICE, { states: ['running', 'dead'] }, 'lease_expiry', { ...PAGE, limit: 3 }, 5))).toHaveLength(1);
    expect(await plansOf((store) => store.jobs(ALICE, { states: ['dead'] }, 'lease_expiry', PAGE, 5))).toEqual([]);
  });

  test('by a tag starts from the jobs of the tag, in their order', async () => {
    const plans = await plansOf((store) => store.jobs(ALICE, { tags: [{ key: 'n', value: '3' }] }, 'newest_first', PAGE, 5));
    const [list] = plans.filter(({ statement }) => statement.includes('cross join'));
    expect(list?.plan).toBe(
      'SEARCH job_tags USING PRIMARY KEY (tenant_id=? AND key=? AND value=? AND job_seq>?)\nSEARCH jobs USING INTEGER PRIMARY KEY (rowid=?)',
    );
  });
});

describe('events that somebody asks for', () => {
  const filters = {
    'of some jobs': { jobIds: ['a', 'b', 'c'] },
    'of a queue': { queues: ['q'] },
    'of a kind, to a state': { kinds: ['COMPLETED'], states: ['completed'] },
  } as const;
  test.each(Object.entries(filters))('%s are looked for along the log, and nobody else gets to see the others', async (_name, filter) => {
    const plans = await plansOf((store) => store.eventsAfter(ALICE, null, filter, 100));
    const [scan] = plans.filter(({ statement }) => statement.includes('left join "jobs"'));
    const [log, ...others] = scan?.plan.split('\n') ?? [];
    expect(log).toBe('SEARCH events USING PRIMARY KEY (tenant_id=? AND seq>? AND seq<?)');
    expect(others.filter((line) => line.startsWith('SCAN') || line.includes('TEMP B-TREE'))).toEqual([]);
  });
});

test('jobs that have had no event since are followed without a look at those of others', async () => {
  const plans = await plansOf(async (store) => store.eventsAfter(ALICE, await store.latestPosition(ALICE), { jobIds: [await firstJob(store)] }, 100));
  expect(plans.filter(({ statement }) => statement.includes('left join "jobs"'))).toEqual([]);
});

/** A job whose events lie before the end of the log. */
async function firstJob(store: LeaseRepository): Promise<string> {
  const [first] = (await store.jobs(ALICE, {}, 'oldest_first', PAGE)).rows;
  return first?.row.id ?? '';
}

test('jobs that are followed tell of each of their events, the last one too', async () => {
  const { store } = await openTestStore();
  const id = await submitOne(store, ALICE);
  let position = await store.latestPosition(ALICE);
  await store.submit(ALICE, CALLER, [submission(), submission()], false);
  const follow = () => store.eventsAfter(ALICE, position, { jobIds: [id] }, 100);
  expect(await follow()).toMatchObject({ events: [], position: await store.latestPosition(ALICE), hasMore: false });
  await store.cancel(ALICE, CALLER, { jobId: id, reason: null, force: false });
  await store.submit(ALICE, CALLER, [submission()], false);
  expect((await follow()).events.map(({ kind }) => kind)).toEqual(['CANCELLED']);
  position = await store.latestPosition(ALICE);
  await store.bulk(ALICE, CALLER, { target: { ids: [id] }, action: { name: 'purge' }, limit: 1, dryRun: false });
  expect((await follow()).events.map(({ kind }) => kind)).toEqual(['PURGED']);
  await store.close();
});

test('no statement is prepared twice', async () => {
  const { store, engine } = await openTestStore();
  const round = async (): Promise<void> => {
    await populate(store);
    const { job, leaseToken } = await claimOne(store, ALICE);
    await store.fail(ALICE, CALLER, { jobId: job.id, leaseToken, error: NO_DETAILS, retry: null });
    await store.stats(ALICE);
    await store.eventsAfter(ALICE, null, {}, 50);
  };
  await round();
  await round();
  const prepared = engine.preparedStatements();
  await round();
  expect(engine.preparedStatements()).toBe(prepared);
  await store.close();
});
