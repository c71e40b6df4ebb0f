/** Statements with the tenant planted and left out: what the guard refuses, and the twins that it lets pass. */
import { readFileSync } from 'node:fs';
import { type Compilable, type Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { TenantId } from '../../src/domain/job.ts';
import { perShape, Session, statement } from '../../src/store/statements.ts';
import type { Tables } from '../../src/store/tables.ts';
import { acrossTenants } from '../../src/store/tenant-guard.ts';
import { TENANT_TABLE_NAMES } from '../../src/store/tenant-tables.ts';
import { ALICE, BOB, openTestStore, temporaryFolder } from '../support/store.ts';
import { unconnected } from '../support/unconnected.ts';

const db = unconnected();

/** A tenant that the types say is there and that is not: the result of a mistake elsewhere. */
const missing = (value: unknown): TenantId => value as TenantId;

type Build = () => Pick<Compilable, 'compile'>;
const raw = (fragment: ReturnType<typeof sql>): ReturnType<Build> => ({ compile: () => fragment.compile(db) });

/** Each refusal says the kind of the statement and the table. */
const REFUSED: Readonly<Record<string, readonly [says: string, Build]>> = {
  'a select without': ["select statement touches the tenants' table 'jobs'", () => db.selectFrom('jobs').select('id').where('id', '=', 'x')],
  'a select without any condition': ["'queues'", () => db.selectFrom('queues').selectAll()],
  'an update without': ["update statement touches the tenants' table 'jobs'", () => db.updateTable('jobs').set({ priority: 1 }).where('id', '=', 'x')],
  'a delete without': ["delete statement touches the tenants' table 'attempts'", () => db.deleteFrom('attempts').where('job_seq', '=', 1)],
  'a second table of the list': ["'events'", () => db.selectFrom(['jobs', 'events']).select('jobs.id').where('jobs.tenant_id', '=', ALICE)],
  'tenants found by name': ["'tenants'", () => db.selectFrom('tenants').selectAll().where('name', '=', 'x')],
  'a key found by its id alone': ["'api_keys'", () => db.selectFrom('api_keys').selectAll().where('id', '=', 'x')],

  // B128: the joined table is forgotten.
  'a join with one side forgotten': [
    "'jobs'",
    () => db.selectFrom('events').innerJoin('jobs', 'jobs.seq', 'events.job_seq').select('jobs.id').where('events.tenant_id', '=', ALICE),
  ],
  'a left join with one side forgotten': [
    "'jobs'",
    () => db.selectFrom('events').leftJoin('jobs', 'jobs.seq', 'events.job_seq').select('jobs.id').where('events.tenant_id', '=', ALICE),
  ],
  'a join whose first side only the condition of a left join binds': [
    "'jobs'",
    () =>
      db
        .selectFrom('jobs')
        .leftJoin('events', (join) => join.onRef('events.tenant_id', '=', 'jobs.tenant_id').on('jobs.tenant_id', '=', ALICE))
        .select('jobs.id'),
  ],
  'a first side equal to a left-joined one that is bound': [
    "'jobs'",
    () =>
      db
        .selectFrom('jobs')
        .leftJoin('events', (join) => join.on('events.tenant_id', '=', ALICE).onRef('events.tenant_id', '=', 'jobs.tenant_id'))
        .select('jobs.id'),
  ],
  'a right join bound in its condition': [
    "'jobs'",
    () =>
      db
        .selectFrom('events')
        .rightJoin('jobs', (join) => join.onRef('jobs.tenant_id', '=', 'events.tenant_id'))
        .select('jobs.id')
        .where('events.tenant_id', '=', ALICE),
  ],
  'a full join bound in its condition': [
    "'jobs'",
    () =>
      db
        .selectFrom('jobs')
        .fullJoin('events', (join) => join.on('jobs.tenant_id', '=', ALICE).on('events.tenant_id', '=', ALICE))
        .select('jobs.id'),
  ],
  'a join of both sides with each other alone': [
    "'events'",
    () =>
      db
        .selectFrom('events')
        .innerJoin('jobs', (join) => join.onRef('jobs.tenant_id', '=', 'events.tenant_id'))
        .select('jobs.id'),
  ],
  'a third table that hangs on nothing': [
    "'attempts'",
    () =>
      db
        .selectFrom('events')
        .innerJoin('jobs', (join) => join.onRef('jobs.tenant_id', '=', 'events.tenant_id'))
        .innerJoin('attempts', 'attempts.job_seq', 'jobs.seq')
        .select('jobs.id')
        .where('events.tenant_id', '=', ALICE),
  ],

  'the condition of another alias': [
    "'jobs'",
    () => db.selectFrom('jobs as a').innerJoin('jobs as b', 'a.seq', 'b.seq').select('a.id').where('a.tenant_id', '=', ALICE).where('a.tenant_id', '=', ALICE),
  ],
  'two tables and a column that says of neither': [
    "'jobs'",
    () => db.selectFrom('jobs').innerJoin('events', 'events.job_seq', 'jobs.seq').select('jobs.id').where('tenant_id', '=', ALICE),
  ],
  'an alias taken for the table inside': [
    "'jobs'",
    () =>
      db
        .selectFrom('jobs')
        .select('id')
        .where('jobs.tenant_id', '=', ALICE)
        .where((eb) => eb.exists(eb.selectFrom('jobs as inner').select('inner.id').where('jobs.tenant_id', '=', ALICE))),
  ],

  'a sub-query in a condition': [
    "'job_tags'",
    () =>
      db
        .selectFrom('jobs')
        .select('id')
        .where('tenant_id', '=', ALICE)
        .where('seq', 'in', (eb) => eb.selectFrom('job_tags').select('job_seq').where('key', '=', 'x')),
  ],
  'a sub-query under not exists': [
    "'attempts'",
    () =>
      db
        .selectFrom('jobs')
        .select('id')
        .where('tenant_id', '=', ALICE)
        .where((eb) => eb.not(eb.exists(eb.selectFrom('attempts').select('fence').whereRef('attempts.job_seq', '=', 'jobs.seq')))),
  ],
  'a sub-query under or': [
    "'attempts'",
    () =>
      db
        .selectFrom('jobs')
        .select('id')
        .where('tenant_id', '=', ALICE)
        .where((eb) => eb.or([eb('seq', '=', 1), eb.exists(eb.selectFrom('attempts').select('fence'))])),
  ],
  'a sub-query among what is selected': [
    "'events'",
    () =>
      db
        .selectFrom('jobs')
        .select((eb) => eb.selectFrom('events').select('seq').whereRef('events.job_seq', '=', 'jobs.seq').as('last'))
        .where('tenant_id', '=', ALICE),
  ],
  'a sub-query in an order': [
    "'events'",
    () =>
      db
        .selectFrom('jobs')
        .select('id')
        .where('tenant_id', '=', ALICE)
        .orderBy((eb) => eb.selectFrom('events').select('seq').limit(1)),
  ],
  'a sub-query that a condition outside of it is to bind': [
    "'jobs'",
    () =>
      db
        .selectFrom((eb) => eb.selectFrom('jobs').select(['id', 'tenant_id']).as('all'))
        .select('id')
        .where('all.tenant_id', '=', ALICE),
  ],
  'a sub-query bound to what another query answers': [
    "'jobs'",
    () =>
      db
        .selectFrom((eb) => eb.selectFrom('queues').select('name as tenant_id').where('queues.tenant_id', '=', ALICE).as('mine'))
        .innerJoin('jobs', 'jobs.tenant_id', 'mine.tenant_id')
        .select('jobs.id'),
  ],
  'a sub-query in the limit': [
    "'queues'",
    () =>
      db
        .selectFrom('jobs')
        .select('id')
        .where('tenant_id', '=', ALICE)
        .limit((eb) => eb.selectFrom('queues').select('version')),
  ],
  'a common table expression': [
    "'jobs'",
    () =>
      db
        .with('all', (cte) => cte.selectFrom('jobs').select('id'))
        .selectFrom('all')
        .select('id'),
  ],
  'a common table expression beside one that is right': [
    "'events'",
    () =>
      db
        .with('mine', (cte) => cte.selectFrom('jobs').select('id').where('tenant_id', '=', ALICE))
        .with('all', (cte) => cte.selectFrom('events').select('seq'))
        .selectFrom(['mine', 'all'])
        .selectAll(),
  ],
  'a common table expression that takes the name of a table': [
    "'jobs'",
    () =>
      db
        .with('jobs', (cte) => cte.selectFrom('queues').select('name as tenant_id').where('tenant_id', '=', ALICE))
        .selectFrom('jobs')
        .selectAll()
        .where('tenant_id', '=', ALICE),
  ],
  'the second step of a recursion': [
    "'events'",
    () =>
      db
        .withRecursive('chain(seq)', (cte) =>
          cte
            .selectFrom('events')
            .select('seq')
            .where('tenant_id', '=', ALICE)
            .unionAll(cte.selectFrom('chain').innerJoin('events', 'events.previous_seq', 'chain.seq').select('events.seq')),
        )
        .selectFrom('chain')
        .select('chain.seq'),
  ],
  'a change inside a common table expression': [
    "'jobs'",
    () =>
      db
        .with('gone', (cte) => cte.deleteFrom('jobs').returning('id'))
        .selectFrom('gone')
        .select('id'),
  ],
  'a union with one arm forgotten': [
    "'jobs'",
    () =>
      db
        .selectFrom('jobs')
        .select('id')
        .where('tenant_id', '=', ALICE)
        .union((eb) => eb.selectFrom('jobs').select('id').where('id', '=', 'x')),
  ],
  'a union whose first arm is forgotten': [
    "'jobs'",
    () =>
      db
        .selectFrom('jobs')
        .select('id')
        .unionAll((eb) => eb.selectFrom('jobs').select('id').where('tenant_id', '=', ALICE)),
  ],
  'an arm of a union bound to the table of another arm': [
    "'events'",
    () =>
      db
        .selectFrom('jobs')
        .select('seq')
        .where('jobs.tenant_id', '=', ALICE)
        .except((eb) =>
          eb
            .selectFrom('events')
            .select('seq')
            .whereRef('events.tenant_id', '=', 'jobs.tenant_id' as 'events.tenant_id'),
        ),
  ],

  'an insert without': [
    "insert statement touches the tenants' table 'workers'",
    () => db.insertInto('workers').values(missing({ id: 'w', queues: '[]' }) as never),
  ],
  'an insert with one row forgotten': [
    "'log_epochs'",
    () => db.insertInto('log_epochs').values([{ tenant_id: ALICE, epoch: 'a', first_seq: 1 }, missing({ epoch: 'b', first_seq: 2 }) as never]),
  ],
  'an insert of null': ["'log_epochs'", () => db.insertInto('log_epochs').values({ tenant_id: missing(null), epoch: 'a', first_seq: 1 })],
  'an insert of undefined': ["'log_epochs'", () => db.insertInto('log_epochs').values({ tenant_id: missing(undefined), epoch: 'a', first_seq: 1 })],
  'an insert of what raw SQL says': ["'log_epochs'", () => db.insertInto('log_epochs').values({ tenant_id: sql<TenantId>`null`, epoch: 'a', first_seq: 1 })],
  'an insert of default values': ["'queues'", () => db.insertInto('queues').defaultValues()],
  'an insert of a select without': [
    "'log_epochs'",
    () =>
      db
        .insertInto('log_epochs')
        .columns(['epoch', 'first_seq'])
        .expression((eb) => eb.selectFrom('event_logs').select(['epoch', 'last_seq']).where('tenant_id', '=', ALICE)),
  ],
  'an insert of a select that reads all tenants': [
    "'event_logs'",
    () =>
      db
        .insertInto('log_epochs')
        .columns(['tenant_id', 'epoch', 'first_seq'])
        .expression((eb) => eb.selectFrom('event_logs').select(['tenant_id', 'epoch', 'last_seq'])),
  ],
  'an insert of a select of another column': [
    "'log_epochs'",
    () =>
      db
        .insertInto('log_epochs')
        .columns(['tenant_id', 'epoch', 'first_seq'])
        .expression((eb) => eb.selectFrom('event_logs').select(['epoch as tenant_id', 'epoch', 'last_seq']).where('tenant_id', '=', ALICE)),
  ],
  'an insert of a select whose columns cannot be told': [
    "'log_epochs'",
    () =>
      db
        .insertInto('log_epochs')
        .columns(['tenant_id', 'epoch', 'first_seq'])
        .expression((eb) => eb.selectFrom('log_epochs').selectAll().where('tenant_id', '=', ALICE)),
  ],
  'an insert of a union with one arm of another column': [
    "'log_epochs'",
    () =>
      db
        .insertInto('log_epochs')
        .columns(['tenant_id', 'epoch', 'first_seq'])
        .expression((eb) =>
          eb
            .selectFrom('event_logs')
            .select(['tenant_id', 'epoch', 'last_seq'])
            .where('tenant_id', '=', ALICE)
            .union(
              eb
                .selectFrom('queues')
                .select((arm) => [arm.ref('name').$castTo<TenantId>().as('tenant_id'), 'name as epoch', 'version as last_seq'])
                .where('tenant_id', '=', ALICE),
            ),
        ),
  ],
  'an insert that replaces': ["'log_epochs'", () => db.replaceInto('log_epochs').values({ tenant_id: ALICE, epoch: 'a', first_seq: 1 })],
  'an insert or replace': ["'log_epochs'", () => db.insertInto('log_epochs').orReplace().values({ tenant_id: ALICE, epoch: 'a', first_seq: 1 })],
  'an insert that changes what conflicts across tenants': [
    "'tenants'",
    () =>
      db
        .insertInto('tenants')
        .values({ tenant_id: ALICE, name: 'x', suspended: 0, quotas: '{}', own_quotas: '{}', created_at_ms: 0 })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ suspended: 1 })),
  ],
  'an insert that changes the tenant where it conflicts': [
    "'log_epochs'",
    () =>
      db
        .insertInto('log_epochs')
        .values({ tenant_id: ALICE, epoch: 'a', first_seq: 1 })
        .onConflict((conflict) => conflict.columns(['tenant_id', 'epoch']).doUpdateSet({ tenant_id: ALICE })),
  ],
  'an update from another table': [
    "'queue_counters'",
    () => db.updateTable('queues').from('queue_counters').set({ version: 1 }).where('queues.tenant_id', '=', ALICE),
  ],
  'an update whose other table alone is bound': [
    "'queues'",
    () => db.updateTable('queues').from('queue_counters').set({ version: 1 }).where('queue_counters.tenant_id', '=', ALICE),
  ],
  'an update that gives a row to another tenant': ["'queues'", () => db.updateTable('queues').set({ tenant_id: BOB }).where('tenant_id', '=', ALICE)],
  'an update to what a sub-query says': [
    "'queue_counters'",
    () =>
      db
        .updateTable('queues')
        .set((eb) => ({ version: eb.selectFrom('queue_counters').select('queued') }))
        .where('tenant_id', '=', ALICE),
  ],
  'a delete using another table': [
    "'jobs'",
    () => db.deleteFrom('attempts').using('jobs').where('attempts.tenant_id', '=', ALICE).whereRef('jobs.seq', '=', 'attempts.job_seq'),
  ],
  'a merge': [
    "'queues'",
    () =>
      db
        .mergeInto('queues')
        .using('queue_counters', (join) => join.onRef('queues.tenant_id', '=', 'queue_counters.tenant_id').on('queues.tenant_id', '=', ALICE))
        .whenMatched()
        .thenDelete(),
  ],
  'a change of the schema': ["'jobs'", () => db.schema.dropTable('jobs')],

  'the tenant under or': [
    "'jobs'",
    () =>
      db
        .selectFrom('jobs')
        .select('id')
        .where((eb) => eb.or([eb('tenant_id', '=', ALICE), eb('id', '=', 'x')])),
  ],
  'the tenant under or, even with itself': [
    "'jobs'",
    () =>
      db
        .selectFrom('jobs')
        .select('id')
        .where((eb) => eb.or([eb('tenant_id', '=', ALICE), eb('tenant_id', '=', ALICE)])),
  ],
  'the tenant under not': [
    "'jobs'",
    () =>
      db
        .selectFrom('jobs')
        .select('id')
        .where((eb) => eb.not(eb('tenant_id', '=', ALICE))),
  ],
  'the tenant under case': [
    "'jobs'",
    () =>
      db
        .selectFrom('jobs')
        .select('id')
        .where((eb) => eb(eb.case().when('tenant_id', '=', ALICE).then(1).else(1).end(), '=', 1)),
  ],
  'the tenant compared with what is then compared again': [
    "'jobs'",
    () =>
      db
        .selectFrom('jobs')
        .select('id')
        .where((eb) => eb(eb('tenant_id', '=', ALICE), '=', sql.lit(false))),
  ],
  'the tenant after having': ["'jobs'", () => db.selectFrom('jobs').select('tenant_id').groupBy('tenant_id').having('tenant_id', '=', ALICE)],
  'not the tenant': ["'jobs'", () => db.selectFrom('jobs').select('id').where('tenant_id', '!=', ALICE)],
  'a tenant in a list': ["'jobs'", () => db.selectFrom('jobs').select('id').where('tenant_id', 'in', [ALICE, BOB])],
  'a tenant in a list of one': ["'jobs'", () => db.selectFrom('jobs').select('id').where('tenant_id', 'in', [ALICE])],
  'a tenant like': ["'jobs'", () => db.selectFrom('jobs').select('id').where('tenant_id', 'like', missing('%'))],
  'a tenant that is not null': ["'jobs'", () => db.selectFrom('jobs').select('id').where('tenant_id', 'is not', null)],
  'a tenant that is more than': ["'jobs'", () => db.selectFrom('jobs').select('id').where('tenant_id', '>=', ALICE)],
  'a tenant compared with itself': ["'jobs'", () => db.selectFrom('jobs').select('id').whereRef('tenant_id', '=', 'tenant_id')],
  'a tenant compared with itself by its table': ["'jobs'", () => db.selectFrom('jobs').select('id').whereRef('tenant_id', '=', 'jobs.tenant_id')],
  'a tenant compared with another column': ["'jobs'", () => db.selectFrom('jobs').select('id').whereRef('tenant_id', '=', 'queue_name')],
  'a tenant made of more': [
    "'jobs'",
    () =>
      db
        .selectFrom('jobs')
        .select('id')
        .where((eb) => eb(eb(eb.ref('tenant_id').$castTo<string>(), '||', sql.lit('x')), '=', 'alicex')),
  ],
  'another column with the tenant': ["'queues'", () => db.selectFrom('queues').selectAll().where('name', '=', ALICE)],
  'a tenant that a sub-query finds': [
    "'jobs'",
    () =>
      db
        .selectFrom('jobs')
        .select('id')
        .where('tenant_id', '=', (eb) => eb.selectFrom('queues').select('tenant_id').where('tenant_id', '=', ALICE)),
  ],

  'raw SQL that names a table': ["'jobs'", () => raw(sql`select * from jobs where id = ${'x'}`)],
  'raw SQL that names a table and the tenant': ["'jobs'", () => raw(sql`select * from jobs where tenant_id = ${ALICE}`)],
  'raw SQL in capitals': ["'events'", () => raw(sql`delete from EVENTS`)],
  'raw SQL with the schema': ["'events'", () => raw(sql`delete from main."events"`)],
  'raw SQL with the table as a part': ["'jobs'", () => raw(sql`select * from ${sql.table('jobs')}`)],
  'raw SQL with the name as a part': ["'jobs'", () => raw(sql`select * from ${sql.id('main', 'jobs')}`)],
  'raw SQL with the name as a column': ["'jobs'", () => raw(sql`select * from ${sql.ref('jobs')}`)],
  'raw SQL with the name as a literal': ["'jobs'", () => raw(sql`select * from ${sql.lit('jobs')}`)],
  'raw SQL put together from pieces': ["'jobs'", () => raw(sql`select * from ${sql.raw('jo')}${sql.raw('bs')}`)],
  'a raw sub-query': [
    "'events'",
    () => db.selectFrom('jobs').select('id').where('tenant_id', '=', ALICE).where('seq', 'in', sql<number>`(select job_seq from events)`),
  ],
  'a raw table': ["'jobs'", () => db.selectFrom(sql<{ id: string }>`jobs`.as('j')).select('j.id')],
  'a literal as a table': ["'jobs'", () => db.selectFrom(sql.lit('jobs').$castTo<{ id: string }>().as('j')).select('j.id')],
  'a raw condition': ["'jobs'", () => db.selectFrom('jobs').select('id').where(sql<boolean>`tenant_id = ${ALICE}`)],
};

/** Raw SQL that would undo the conditions beside it. */
const REACHES: Readonly<Record<string, ReturnType<typeof sql<boolean>>>> = {
  'an or': sql`1 = 1 or 1 = 1`,
  'an or at the end of a longer one': sql`(a = 1 and b = 2) OR c = 3`,
  'a comment to the end of the line': sql`1 = 1 --`,
  'a comment that begins': sql`1 = 1 /*`,
  'a comment between parentheses': sql`(1 = 1 -- )`,
  'a grouping': sql`1 = 1 group by seq`,
  'a union': sql`1 = 1 union all select 'x'`,
  'a between that takes the next and': sql`run_at_ms between 1`,
  'a case that does not end': sql`case when 1 = 1`,
  'a parenthesis that closes': sql`1 = 1) or (1 = 1`,
  'a quotation that does not end': sql`state = 'queued`,
  'another statement': sql`1 = 1; select 1`,
  'an or from a piece': sql`1 = 1 ${sql.raw('or')} 1 = 1`,
};

const ACCEPTED: Readonly<Record<string, Build>> = {
  'a table of no tenant': () => db.selectFrom('store_meta').selectAll(),
  'a select': () => db.selectFrom('jobs').select('id').where('tenant_id', '=', ALICE).where('id', '=', 'x'),
  'a select with the sides turned round': () =>
    db
      .selectFrom('jobs')
      .select('id')
      .where((eb) => eb(eb.val(ALICE), '=', eb.ref('tenant_id'))),
  'a select with the tenant among nested conditions': () =>
    db
      .selectFrom('jobs')
      .select('id')
      .where((eb) => eb.and([eb('id', '=', 'x'), eb.and([eb('tenant_id', '=', ALICE), eb('seq', '=', 1)])])),
  'a select with the tenant beside an or': () =>
    db
      .selectFrom('jobs')
      .select('id')
      .where('tenant_id', '=', ALICE)
      .where((eb) => eb.or([eb('id', '=', 'x'), eb('seq', '=', 1)])),
  'a select that keeps the planner from the index': () =>
    db
      .selectFrom('jobs')
      .select('id')
      .where((eb) => eb(eb(eb.ref('tenant_id').$castTo<string>(), '||', sql.lit('')), '=', ALICE)),
  'a select from a table with its schema': () => db.withSchema('main').selectFrom('jobs').select('jobs.id').where('jobs.tenant_id', '=', ALICE),
  'an update': () => db.updateTable('jobs').set({ priority: 1 }).where('tenant_id', '=', ALICE),
  'a delete': () => db.deleteFrom('attempts').where('tenant_id', '=', ALICE).where('job_seq', '=', 1),
  'a join bound by value on both sides': () =>
    db
      .selectFrom('events')
      .innerJoin('jobs', 'jobs.seq', 'events.job_seq')
      .select('jobs.id')
      .where('events.tenant_id', '=', ALICE)
      .where('jobs.tenant_id', '=', ALICE),
  'a left join bound in its condition': () =>
    db
      .selectFrom('events')
      .leftJoin('jobs', (join) => join.onRef('jobs.seq', '=', 'events.job_seq').onRef('jobs.tenant_id', '=', 'events.tenant_id'))
      .select('jobs.id')
      .where('events.tenant_id', '=', ALICE),
  'a chain of joins, the last one bound': () =>
    db
      .selectFrom('events')
      .innerJoin('jobs', (join) => join.onRef('jobs.tenant_id', '=', 'events.tenant_id'))
      .innerJoin('attempts', (join) => join.onRef('attempts.tenant_id', '=', 'jobs.tenant_id'))
      .select('jobs.id')
      .where('attempts.tenant_id', '=', ALICE),
  'a table joined with itself': () =>
    db.selectFrom('jobs as a').innerJoin('jobs as b', 'a.tenant_id', 'b.tenant_id').select('a.id').where('a.tenant_id', '=', ALICE),
  'a correlated sub-query': () =>
    db
      .selectFrom('jobs')
      .select('id')
      .where('jobs.tenant_id', '=', ALICE)
      .where((eb) => eb.exists(eb.selectFrom('attempts').select('fence').whereRef('attempts.tenant_id', '=', 'jobs.tenant_id'))),
  'a sub-query in a list': () =>
    db
      .selectFrom('jobs')
      .select('id')
      .where('tenant_id', '=', ALICE)
      .where('seq', 'in', (eb) => eb.selectFrom('job_tags').select('job_seq').where('tenant_id', '=', ALICE)),
  'a sub-query that is bound inside': () =>
    db.selectFrom((eb) => eb.selectFrom('jobs').select('id').where('tenant_id', '=', ALICE).as('mine')).select('mine.id'),
  'a common table expression': () =>
    db
      .with('mine', (cte) => cte.selectFrom('jobs').select('id').where('tenant_id', '=', ALICE))
      .selectFrom('mine')
      .select('id'),
  'a recursion': () =>
    db
      .withRecursive('chain(seq)', (cte) =>
        cte
          .selectFrom('events')
          .select('seq')
          .where('tenant_id', '=', ALICE)
          .unionAll(cte.selectFrom('chain').crossJoin('events').select('events.seq').where('events.tenant_id', '=', ALICE)),
      )
      .selectFrom('chain')
      .select('chain.seq'),
  'a union': () =>
    db
      .selectFrom('jobs')
      .select('seq')
      .where('tenant_id', '=', ALICE)
      .union((eb) => eb.selectFrom('events').select('seq').where('tenant_id', '=', ALICE)),
  'an insert': () => db.insertInto('log_epochs').values([ALICE, ALICE].map((owner, index) => ({ tenant_id: owner, epoch: `${index}`, first_seq: index }))),
  'an insert of a select': () =>
    db
      .insertInto('log_epochs')
      .columns(['tenant_id', 'epoch', 'first_seq'])
      .expression((eb) =>
        eb
          .selectFrom('event_logs')
          .select(['tenant_id', 'epoch', 'last_seq'])
          .where('tenant_id', '=', ALICE)
          .union(
            eb
              .selectFrom('queues')
              .select([eb.val(ALICE).as('tenant_id'), 'name as epoch', 'version as last_seq'])
              .where('tenant_id', '=', ALICE),
          ),
      ),
  'an insert that adds to what conflicts within the tenant': () =>
    db
      .insertInto('tenant_usage')
      .values({ tenant_id: ALICE, waiting: 1, queues: 1, stored_bytes: 0 })
      .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet((eb) => ({ queues: eb('tenant_usage.queues', '+', eb.ref('excluded.queues')) }))),
  'an insert that leaves what conflicts as it is': () =>
    db
      .insertInto('log_epochs')
      .values({ tenant_id: ALICE, epoch: 'a', first_seq: 1 })
      .onConflict((conflict) => conflict.doNothing()),
  'an update from another table': () =>
    db
      .updateTable('queues')
      .from('queue_counters')
      .set({ version: 1 })
      .where('queues.tenant_id', '=', ALICE)
      .whereRef('queue_counters.tenant_id', '=', 'queues.tenant_id'),
  'a delete using another table': () =>
    db.deleteFrom('attempts').using('jobs').where('attempts.tenant_id', '=', ALICE).whereRef('jobs.tenant_id', '=', 'attempts.tenant_id'),
  'raw SQL that names no table': () => raw(sql`pragma page_count`),
  'a raw operand': () =>
    db
      .selectFrom('jobs')
      .select('id')
      .where('tenant_id', '=', ALICE)
      .where(sql`+run_at_ms`, '<=', 5)
      .where(sql<boolean>`(1 = 1 or state = 'a or b' or x in (1, (2)))`),
  'a raw column with its table': () =>
    db
      .selectFrom('jobs')
      .select(sql`coalesce(${sql.ref('jobs.result')}, 0)`.as('x'))
      .where('tenant_id', '=', ALICE),
};

describe('the guard of tenants', () => {
  test.each(Object.entries(REFUSED))('refuses %s', (_name, [says, build]) => {
    expect(() => build().compile()).toThrow(says);
    expect(() => build().compile()).toThrow('without its tenant');
  });

  test.each(Object.entries(ACCEPTED))('accepts %s', (_name, build) => {
    expect(build().compile().sql).not.toBe('');
  });

  test.each(Object.entries(REACHES))('refuses a raw condition beside the tenant that holds %s', (_name, condition) => {
    const build = (handle: Kysely<Tables>) => handle.selectFrom('jobs').select('id').where(condition).where('tenant_id', '=', ALICE).compile();
    expect(() => build(db)).toThrow('may undo the conditions beside it');
    expect(build(acrossTenants(db)).sql).toContain('jobs');
  });

  test.each([null, undefined, '', ' \t', 7, true, ['alice'], { tenant: 'alice' }])('takes %j for no tenant (B127)', (value) => {
    expect(() => db.selectFrom('jobs').select('id').where('tenant_id', '=', missing(value)).compile()).toThrow("'jobs' without its tenant");
    expect(() => db.updateTable('jobs').set({ priority: 1 }).where('tenant_id', '=', missing(value)).compile()).toThrow("'jobs' without its tenant");
    expect(() => db.deleteFrom('jobs').where('tenant_id', '=', missing(value)).compile()).toThrow("'jobs' without its tenant");
    expect(() =>
      db
        .insertInto('log_epochs')
        .values({ tenant_id: missing(value), epoch: 'a', first_seq: 1 })
        .compile(),
    ).toThrow("'log_epochs' without its tenant");
  });

  test('lets one statement speak of one tenant only, in whatever place', () => {
    const ofBob = (eb: { selectFrom: Kysely<Tables>['selectFrom'] }) => eb.selectFrom('events').select('seq').where('events.tenant_id', '=', BOB);
    const ofAlice = (handle: Kysely<Tables>) => handle.selectFrom('jobs').select('seq').where('jobs.tenant_id', '=', ALICE);
    expect(() => ofAlice(db).innerJoin('events', 'events.job_seq', 'jobs.seq').where('events.tenant_id', '=', BOB).compile()).toThrow('two tenants');
    expect(() => ofAlice(db).where('seq', 'in', ofBob(db)).compile()).toThrow('two tenants');
    expect(() => ofAlice(db).union(ofBob(db)).compile()).toThrow('two tenants');
    const rows = [ALICE, BOB].map((owner) => ({ tenant_id: owner, epoch: 'a', first_seq: 1 }));
    expect(() => db.insertInto('log_epochs').values(rows).compile()).toThrow('two tenants');
  });

  test('stands before the database on every handle, within transactions too, and the door leads past it', async () => {
    using folder = temporaryFolder();
    const { store, engine } = await openTestStore({ path: folder.file('x.db') });
    const all = (handle: Kysely<Tables>) => handle.selectFrom('jobs').selectAll().execute();
    await expect(all(engine.db)).rejects.toThrow('without its tenant');
    await expect(all(engine.reads)).rejects.toThrow('without its tenant');
    await expect(engine.transaction(all)).rejects.toThrow('without its tenant');
    await expect(engine.db.transaction().execute(all)).rejects.toThrow('without its tenant');
    await expect(engine.db.connection().execute(all)).rejects.toThrow('without its tenant');
    expect(await all(acrossTenants(engine.db))).toEqual([]);
    expect(await all(acrossTenants(engine.reads))).toEqual([]);
    expect(await engine.transaction((tx) => all(acrossTenants(tx)))).toEqual([]);
    await store.close();
  });
});

describe('a statement that is built once', () => {
  const READ = statement((handle, values: { readonly tenant: TenantId; readonly id: string }) =>
    handle.selectFrom('jobs').select('id').where('tenant_id', '=', values.tenant).where('id', '=', values.id),
  );
  const FORGETFUL = statement((handle, values: { readonly tenant: TenantId; readonly id: string }) =>
    handle.selectFrom('jobs').select('id').where('id', '=', values.id),
  );
  const TWO = statement((handle, values: { readonly tenant: TenantId; readonly other: TenantId }) =>
    handle
      .selectFrom('jobs')
      .innerJoin('events', 'events.job_seq', 'jobs.seq')
      .select('jobs.id')
      .where('jobs.tenant_id', '=', values.tenant)
      .where('events.tenant_id', '=', values.other),
  );
  type Epoch = Tables['log_epochs'];
  const insertEpoch = perShape(['tenant_id', 'epoch', 'first_seq'], (handle, row: Epoch) => handle.insertInto('log_epochs').values(row));

  const inSession = async (work: (session: Session) => unknown): Promise<unknown> => {
    const { store, engine } = await openTestStore();
    try {
      return await engine.transaction(async (tx) => work(new Session(engine, tx)));
    } finally {
      await store.close();
    }
  };

  test('is looked at when it is built', async () => {
    expect(await inSession((session) => session.all(READ, { tenant: ALICE, id: 'x' }))).toEqual([]);
    await expect(inSession((session) => session.all(FORGETFUL, { tenant: ALICE, id: 'x' }))).rejects.toThrow("'jobs' without its tenant");
    await expect(inSession((session) => session.all(TWO, { tenant: ALICE, other: ALICE }))).rejects.toThrow('two tenants');
  });

  test.each([null, undefined, '', ' '])('does not run with %j for its tenant (B127)', async (value) => {
    await expect(inSession((session) => session.all(READ, { tenant: missing(value), id: 'x' }))).rejects.toThrow('run without its tenant');
  });

  test.each([null, undefined, '', ' '])('stores no row of %j (B127)', async (value) => {
    const row: Epoch = { tenant_id: missing(value), epoch: 'a', first_seq: 1 };
    await expect(inSession((session) => session.change(insertEpoch(row), row))).rejects.toThrow('without its tenant');
  });
});

test('every table of the database with a tenant is guarded, and told apart by it in every key', () => {
  const definitions = readFileSync(new URL('../../schema/database.sqlite.sql', import.meta.url), 'utf8');
  const tables = [...definitions.matchAll(/^CREATE TABLE (\w+) \((.*?)^\)/gms)].map(([, name = '', columns = '']) => ({ name, columns }));
  const ofTenants = tables.filter(({ columns }) => columns.includes('tenant_id'));
  expect(ofTenants.map(({ name }) => name).toSorted()).toEqual(TENANT_TABLE_NAMES.toSorted());
  expect(tables.filter(({ name }) => !TENANT_TABLE_NAMES.includes(name)).map(({ name }) => name)).toEqual(['store_meta']);

  // A job's own key is its place on disk; its id is unique within the tenant.
  const keyed = ofTenants.filter(({ columns }) => columns.includes('primary key (tenant_id')).map(({ name }) => name);
  expect(ofTenants.filter(({ name }) => !keyed.includes(name)).map(({ name }) => name)).toEqual(['jobs']);
  expect(ofTenants.filter(({ columns }) => !columns.includes('tenant_id text not null'))).toEqual([]);

  // The name of a tenant is the one thing that is unique among all.
  const uniques = [...definitions.matchAll(/^CREATE UNIQUE INDEX (\w+) on \w+ \((\w+)/gm)].map(([, name, first]) => ({ name, first }));
  expect(uniques.map(({ name }) => name)).toContain('jobs_by_old_id');
  expect(uniques.filter(({ first }) => first !== 'tenant_id').map(({ name }) => name)).toEqual(['tenants_by_name']);
});
