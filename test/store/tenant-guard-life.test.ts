/**
 * The guard of tenants over a busy life of the store: it lets every statement pass, and refuses each of them as soon as
 * any one of its tenants is taken away.
 */
import {
  BinaryOperationNode,
  ColumnNode,
  type InsertQueryNode,
  type Kysely,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  OrNode,
  ParensNode,
  PrimitiveValueListNode,
  ReferenceNode,
  type RootOperationNode,
  SelectQueryNode,
  TableNode,
  UnaryOperationNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
} from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { createJobStore } from '../../src/store/create-store.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import { openSqlite } from '../../src/store/engines/sqlite.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import type { JobFilter } from '../../src/store/requests.ts';
import type { Tables } from '../../src/store/tables.ts';
import { isTenantTable } from '../../src/store/tenant-tables.ts';
import { createTestKey } from '../support/keys.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { readSources } from '../support/source.ts';
import { ALICE, BOB, CALLER, claimOf, claimOne, submission, submitOne, temporaryFolder, TEST_RETENTION } from '../support/store.ts';
import { tenant } from '../support/tenants.ts';
import { unconnected } from '../support/unconnected.ts';

const DAY_MS = 86_400_000;
const PAGE = { after: null, before: null, limit: 2, fromEnd: false };
const ERROR = { type: null, message: 'no', detailsJson: null };

/** The engine, and every tree that the guard let pass on any of its handles. */
function recording(engine: Engine): { readonly engine: Engine; readonly trees: ReadonlyMap<string, RootOperationNode> } {
  const trees = new Map<string, RootOperationNode>();
  const recorder: KyselyPlugin = {
    transformQuery({ node }) {
      trees.set(JSON.stringify(node), node);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const watched = (db: Kysely<Tables>): Kysely<Tables> => db.withPlugin(recorder);
  const transaction: Engine['transaction'] = (work) => engine.transaction((tx) => work(watched(tx)));
  return { engine: { ...engine, db: watched(engine.db), reads: watched(engine.reads), transaction }, trees };
}

/** Everything that the store can be asked for, so that each of its statements is built. */
async function liveBusily(store: LeaseRepository, clock: ManualClock): Promise<void> {
  await submitAndClaim(store, clock);
  await operate(store);
  await mourn(store);
  await administer(store);
  await readEverything(store);
  await growOld(store, clock);
  await readEverything(store);
}

async function submitAndClaim(store: LeaseRepository, clock: ManualClock): Promise<void> {
  const keyed = submission({ idempotencyKey: 'k', tags: [{ key: 'a', value: 'b' }] });
  for (const allOrNothing of [false, true]) await store.submit(ALICE, CALLER, [keyed, submission({ task: 'u' }), submission()], allOrNothing);
  for (let time = 0; time < 2; time++)
    await store.submit(ALICE, CALLER, [submission({ start: { inSeconds: 30 } }), submission({ queue: 'r' })], false, 'again');
  await submitOne(store, BOB);
  const request = claimOf({ tasks: ['t', 'u'], requestId: 'once', max: 3 });
  await store.claim(ALICE, CALLER, request);
  const [first, second, third] = (await store.claim(ALICE, CALLER, request)).leases;
  for (const lease of [first, second, third]) {
    if (lease === undefined) throw new Error('three jobs were there to claim');
    await store.heartbeat(ALICE, CALLER, [{ jobId: lease.job.id, leaseToken: lease.leaseToken, extendSeconds: null, progress: null }]);
  }
  if (first === undefined || second === undefined || third === undefined) return;
  const done = { jobId: first.job.id, leaseToken: first.leaseToken, resultJson: '1' };
  await store.complete(ALICE, CALLER, [done, done]);
  await store.fail(ALICE, CALLER, { jobId: second.job.id, leaseToken: second.leaseToken, error: ERROR, retry: { never: true } });
  await store.release(ALICE, CALLER, [{ jobId: third.job.id, leaseToken: third.leaseToken, afterSeconds: 5 }]);
  await store.heartbeat(ALICE, CALLER, [{ jobId: second.job.id, leaseToken: second.leaseToken, extendSeconds: null, progress: null }]);
  await claimOne(store, ALICE, { queues: ['r'], leaseSeconds: 5 });
  clock.advance(60_000);
  await store.sweep();
  await claimOne(store, ALICE, { queues: ['q', 'r', 'none'] });
}

/** A group of two, of which one leaves. */
async function mourn(store: LeaseRepository): Promise<void> {
  const died: string[] = [];
  for (let count = 0; count < 2; count++) {
    await submitOne(store, ALICE, { queue: 'm' });
    const { job, leaseToken } = await claimOne(store, ALICE, { queues: ['m'] });
    await store.fail(ALICE, CALLER, { jobId: job.id, leaseToken, error: ERROR, retry: { never: true } });
    died.push(job.id);
  }
  await store.redrive(ALICE, CALLER, { jobId: died[0] ?? '', start: null, maxAttempts: null, payloadJson: null });
  for (const order of ['count', 'recent'] as const) {
    const { rows } = await store.deadLetterGroups(ALICE, { queues: ['m'], tasks: ['t'] }, order, PAGE);
    const [group] = rows;
    if (group === undefined) throw new Error('a group was there');
    await store.deadLetterGroups(ALICE, {}, order, { ...PAGE, after: group.key, before: group.key });
    await store.deadLetterGroup(ALICE, group.row.id);
    for (const filter of [{}, { queues: ['m'], tasks: ['t'] }, { createdAt: { fromMs: 0, toMs: null } }]) {
      const deadLetterGroups = [group.row.id, 'none'];
      await store.countJobs(ALICE, { ...filter, deadLetterGroups });
      for (const list of ['newest_first', 'recently_finished', 'next_to_run'] as const) await store.jobs(ALICE, { ...filter, deadLetterGroups }, list, PAGE);
    }
  }
}

async function operate(store: LeaseRepository): Promise<void> {
  const id = await submitOne(store, ALICE, { queue: 's' });
  await store.reschedule(ALICE, CALLER, { jobId: id, start: { inSeconds: 5 }, priority: 3 });
  await store.cancel(ALICE, CALLER, { jobId: id, reason: 'x', force: false });
  const filters: readonly JobFilter[] = [{ states: ['dead'] }, { tags: [{ key: 'a', value: 'b' }] }];
  for (const filter of filters) {
    for (const action of [
      { name: 'redrive', start: null },
      { name: 'cancel', reason: null, force: false },
    ] as const)
      await store.bulk(ALICE, CALLER, { target: { filter }, action, limit: 10, dryRun: false });
  }
  await store.redrive(ALICE, CALLER, { jobId: id, start: null, maxAttempts: null, payloadJson: null });
  await store.bulk(ALICE, CALLER, { target: { ids: [id] }, action: { name: 'cancel', reason: null, force: true }, limit: 10, dryRun: false });
  await store.bulk(ALICE, CALLER, { target: { ids: [id] }, action: { name: 'purge' }, limit: 10, dryRun: false });
  await operateOnMany(store);
  await store.configureQueue(ALICE, CALLER, { name: 's', expectedVersion: null, defaults: { priority: 1 }, retention: {} });
  await store.pauseQueue(ALICE, CALLER, 's', 'x');
  await store.claim(ALICE, CALLER, claimOf({ queues: ['s'] }));
  await store.resumeQueue(ALICE, CALLER, 's');
}

/** More than one transaction changes. */
async function operateOnMany(store: LeaseRepository): Promise<void> {
  await store.submit(
    ALICE,
    CALLER,
    Array.from({ length: 60 }, () => submission({ queue: 'many' })),
    false,
  );
  const target = { filter: { queues: ['many'] } };
  await store.bulk(ALICE, CALLER, { target, action: { name: 'cancel', reason: null, force: false }, limit: 100, dryRun: false });
  await store.bulk(ALICE, CALLER, { target, action: { name: 'purge' }, limit: 100, dryRun: false });
}

async function administer(store: LeaseRepository): Promise<void> {
  await store.createTenant({ id: tenant('carol'), name: 'Carol', quotas: { maxApiKeys: 1 } });
  await store.updateTenant(tenant('carol'), { name: 'Caroline' }, 'system');
  await store.usage(ALICE);
  await store.setRedactionRules(ALICE, CALLER, { rules: [{ task: '*', path: 'card' }], expectedVersion: null });
  await store.redactionRules(ALICE);
  await store.operatorActions(ALICE, ['pause_queue'], PAGE);
  for (const owner of [ALICE, tenant('carol'), tenant('dave')]) {
    const { id } = await createTestKey(store, { tenant: owner });
    await store.noteKeyUses([{ tenant: owner, id, atMs: 1 }]);
    await store.findKey(owner, id);
    await store.revokeKey(owner, id);
  }
  await createTestKey(store, { tenant: 'carol' });
  await store.keys(ALICE);
  await store.hasTenant(ALICE);
}

const FILTERS: readonly JobFilter[] = [
  {},
  { states: [] },
  { states: ['running'], queues: ['q'] },
  { queues: ['q', 'r'], tasks: ['t'], workerIds: ['w'], concurrencyKeys: ['c', 'd', 'e'], tags: [{ key: 'a', value: 'b' }] },
  { createdAt: { fromMs: 0, toMs: 5 }, runAt: { fromMs: 0, toMs: null }, finishedAt: { fromMs: null, toMs: 5 } },
];

async function readEverything(store: LeaseRepository): Promise<void> {
  for (const filter of FILTERS) {
    for (const order of ['newest_first', 'oldest_first', 'next_to_run', 'recently_finished'] as const) {
      const { rows } = await store.jobs(ALICE, filter, order, PAGE);
      const [key] = rows.map((row) => row.key);
      if (key === undefined) continue;
      await store.jobs(ALICE, filter, order, { ...PAGE, after: key });
      await store.jobs(ALICE, filter, order, { ...PAGE, before: key, fromEnd: true });
    }
    await store.countJobs(ALICE, filter);
  }
  await store.jobByIdempotencyKey(ALICE, 'q', 'k');
  const position = await store.latestPosition(ALICE);
  for (const after of [null, position, { epoch: position.epoch, seq: 1 }, { epoch: 'foreign', seq: 1 }]) {
    await store.eventsAfter(ALICE, after, {}, 2);
    await store.eventsAfter(ALICE, after, { kinds: ['DEAD_LETTERED'] }, 2);
  }
  for (const { row } of (await store.jobs(ALICE, {}, 'newest_first', { ...PAGE, limit: 20 })).rows) {
    const job = await store.jobById(ALICE, row.id);
    if (job !== null) await store.attempts(ALICE, job, { ...PAGE, after: [5], before: [0] });
    await store.timeline(ALICE, row.id, { epoch: position.epoch, seq: 1 }, 5);
  }
  await store.queue(ALICE, 'q');
  await store.queues(ALICE, { ...PAGE, after: ['a'], before: ['z'] });
  await store.queueStats(ALICE, 'q');
  await store.stats(ALICE);
  await store.workers(ALICE, 0);
  await store.gauges(1);
}

/** Until retention has removed the jobs, the last words about them, the rates and the workers. */
async function growOld(store: LeaseRepository, clock: ManualClock): Promise<void> {
  const { job, leaseToken } = await claimOne(store, ALICE);
  await store.complete(ALICE, CALLER, [{ jobId: job.id, leaseToken, resultJson: null }]);
  for (let week = 0; week < 3; week++) {
    clock.advance(8 * DAY_MS);
    while ((await store.sweep()).hasMore);
    while ((await store.retain()).hasMore);
    await store.probe();
  }
}

const isTenantColumn = (node: OperationNode): boolean => {
  if (BinaryOperationNode.is(node)) return isTenantColumn(node.leftOperand);
  const column = ReferenceNode.is(node) ? node.column : node;
  return ColumnNode.is(column) && column.column.name === 'tenant_id';
};

const operator = (text: '=' | '!=' | 'in'): OperationNode => OperatorNode.create(text);
const always = BinaryOperationNode.create(ValueNode.createImmediate(1), operator('='), ValueNode.createImmediate(1));

/** What may be made of the comparison of a tenant by mistake. */
const MISTAKES: Readonly<Record<string, (node: BinaryOperationNode) => OperationNode>> = {
  forgotten: () => always,
  'put under or': (node) => ParensNode.create(OrNode.create(node, always)),
  'turned round': (node) => UnaryOperationNode.create(OperatorNode.create('not'), node),
  'made unequal': ({ leftOperand, rightOperand }) => BinaryOperationNode.create(leftOperand, operator('!='), rightOperand),
  'made a list': ({ leftOperand, rightOperand }) => BinaryOperationNode.create(leftOperand, operator('in'), ValueListNode.create([rightOperand])),
  'compared with null': ({ leftOperand }) => BinaryOperationNode.create(leftOperand, operator('='), ValueNode.create(null)),
  'compared with nothing': ({ leftOperand }) => BinaryOperationNode.create(leftOperand, operator('='), ValueNode.create(undefined)),
  'compared with itself': ({ leftOperand }) => BinaryOperationNode.create(leftOperand, operator('='), leftOperand),
};

/** Copies a tree and makes the mistake at one of the places where it names its tenant. */
class Mistaken extends OperationNodeTransformer {
  readonly #place: number;
  readonly #mistake: (node: BinaryOperationNode) => OperationNode;
  places = 0;

  constructor(place: number, mistake: (node: BinaryOperationNode) => OperationNode = () => always) {
    super();
    this.#place = place;
    this.#mistake = mistake;
  }

  protected override transformBinaryOperation(node: BinaryOperationNode): BinaryOperationNode {
    const isOfTable = !this.#readsQueriesOnly();
    const isEquality = OperatorNode.is(node.operator) && node.operator.operator === '=';
    if (!isEquality || !isOfTable || !(isTenantColumn(node.leftOperand) || isTenantColumn(node.rightOperand))) return super.transformBinaryOperation(node);
    return this.places++ === this.#place ? (this.#mistake(node) as BinaryOperationNode) : super.transformBinaryOperation(node);
  }

  protected override transformInsertQuery(node: InsertQueryNode): InsertQueryNode {
    const index = node.columns?.findIndex(isTenantColumn) ?? -1;
    if (index === -1 || !ValuesNode.is(node.values ?? always) || this.places++ !== this.#place) return super.transformInsertQuery(node);
    const without = <Item>(items: readonly Item[]): Item[] => items.filter((_item, at) => at !== index);
    const values = (node.values as ValuesNode).values.map((row) =>
      PrimitiveValueListNode.is(row) ? PrimitiveValueListNode.create(without(row.values)) : ValueListNode.create(without(row.values)),
    );
    return super.transformInsertQuery({ ...node, columns: without(node.columns ?? []), values: ValuesNode.create(values) });
  }

  /** What another query answers needs no tenant: that query has one. */
  #readsQueriesOnly(): boolean {
    const query = this.nodeStack.findLast((node) => SelectQueryNode.is(node) || /^(Update|Delete)QueryNode$/.test(node.kind));
    return query !== undefined && SelectQueryNode.is(query) && query.joins === undefined && tablesIn(query.from?.froms ?? []).length === 0;
  }
}

function tablesIn(froms: readonly OperationNode[]): readonly string[] {
  return froms.flatMap((from) => {
    const table = 'node' in from ? (from.node as OperationNode) : from;
    return TableNode.is(table) ? [table.table.identifier.name] : [];
  });
}

/** `verb table` of each statement in the tree. */
function touchedBy(node: OperationNode): readonly string[] {
  const parts = Object.values(node)
    .flat()
    .filter((part): part is OperationNode => typeof part === 'object' && part !== null && 'kind' in part);
  const { from, table, into } = node as {
    readonly from?: { readonly froms: readonly OperationNode[] };
    readonly table?: OperationNode;
    readonly into?: OperationNode;
  };
  const verb = /^(Select|Insert|Update|Delete)QueryNode$/.exec(node.kind)?.[1]?.toLowerCase();
  const own = verb === undefined ? [] : tablesIn([...(from?.froms ?? []), ...(table ? [table] : []), ...(into ? [into] : [])]).map((name) => `${verb} ${name}`);
  return [...own, ...parts.flatMap(touchedBy)];
}

const VERBS: Readonly<Record<string, string>> = { selectFrom: 'select', insertInto: 'insert', updateTable: 'update', deleteFrom: 'delete' };

/** The same of the store's sources, but for what goes through the door: a new use belongs into the busy life, too. */
function touchedInSources(): readonly string[] {
  const sources = readSources('src/store').map(({ text }) => text.replaceAll(/acrossTenants\([^)]*\)\s*\.\w+\('\w+/g, ''));
  const found = sources.flatMap((text) => [...text.matchAll(/\.(selectFrom|insertInto|updateTable|deleteFrom)\('(\w+)/g)]);
  return [...new Set(found.filter(([, , table = '']) => isTenantTable(table)).map(([, method = '', table]) => `${VERBS[method]} ${table}`))].toSorted();
}

describe('a busy life of the store', () => {
  const trees: RootOperationNode[] = [];
  const guard = unconnected().getExecutor();
  const look = (tree: RootOperationNode) => guard.transformQuery(tree, { queryId: 'x' });
  const copy = (tree: RootOperationNode, transformer = new Mistaken(-1)) => ({
    tree: transformer.transformNode(tree, { queryId: 'x' }),
    places: transformer.places,
  });

  beforeAll(async () => {
    using folder = temporaryFolder();
    const clock = new ManualClock();
    const recorded = recording(openSqlite({ path: folder.file('x.db'), clock }));
    const parts = { engine: recorded.engine, clock, entropy: seededEntropy({ ratio: 0 }), retention: TEST_RETENTION };
    const store = await createJobStore({
      ...parts,
      onFatal: (error) => {
        throw error;
      },
    });
    await liveBusily(store, clock);
    await store.close();
    trees.push(...recorded.trees.values());
  });

  test('passes the guard, and uses each table of tenants in every way that the store does', () => {
    const touched = new Set(trees.flatMap(touchedBy));
    expect(touchedInSources().filter((use) => !touched.has(use))).toEqual([]);
    expect(trees.length).toBeGreaterThan(100);
  });

  test('passes again as a copy, which is looked at afresh', () => {
    for (const tree of trees) expect(look(copy(tree).tree).kind).toBe(tree.kind);
  });

  test.each(Object.entries(MISTAKES))('is refused statement by statement where any tenant of it is %s', (_name, mistake) => {
    const passed: string[] = [];
    let planted = 0;
    for (const tree of trees) {
      const { places } = copy(tree);
      planted += places;
      for (let place = 0; place < places; place++) {
        const mistaken = copy(tree, new Mistaken(place, mistake)).tree;
        try {
          look(mistaken);
          passed.push(guard.compileQuery(mistaken, { queryId: 'x' }).sql);
        } catch (error) {
          expect(String(error)).toContain('without its tenant');
        }
      }
    }
    expect([...new Set(passed)]).toEqual([]);
    expect(planted).toBeGreaterThan(trees.length / 2);
  });
});
