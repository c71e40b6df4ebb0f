/** Takes a database back to the version that an earlier migration left: each later one is undone, the newest first. */
import Database from 'better-sqlite3';
import { SERIES_COLUMNS } from '../../src/store/series-columns.ts';

const OF_SERIES = SERIES_COLUMNS.filter((name) => !['submitted', 'claimed', 'completed', 'failed'].includes(name));

/** What undoes each migration. */
const UNDOING: Readonly<Record<string, string>> = {
  '002-access': 'drop table tenants; drop table tenant_usage; drop table api_keys',
  '003-dead-letter-groups': `
    drop index jobs_by_dead_group; drop index jobs_by_dead_group_end;
    alter table jobs drop column dead_group; alter table attempts drop column error_group;
    drop table dead_groups; drop table dead_group_activity`,
  '004-queue-series': `
    drop table queue_series; drop index queue_activity_died;
    ${OF_SERIES.map((name) => `alter table queue_activity drop column ${name};`).join(' ')}
    delete from store_meta where key = 'series_since_ms'`,
  '005-operator-actions': 'drop table operator_actions',
  '006-redaction-rules': 'drop table redaction_rules',
  '007-workers': `
    drop index workers_by_silence; drop index jobs_leased;
    alter table workers drop column tasks; alter table workers drop column first_seen_at_ms; alter table workers drop column silent_at_ms;
    create index jobs_leased on jobs (tenant_id, queue_name, lease_expires_at_ms) where lease_expires_at_ms is not null`,
  '008-submission-calls': 'drop table submission_calls; alter table jobs drop column call_seq',
  '009-delayed-jobs': `
    drop index jobs_delayed;
    create index jobs_waiting on jobs (tenant_id, queue_name, waiting, run_at_ms, seq) where waiting is not null`,
  '010-ids-name-places': 'drop index jobs_by_old_id; alter table jobs drop column old_id; create unique index jobs_by_id on jobs (tenant_id, id)',
};

/** `migration`: the newest that the database still has afterwards. */
export function takeBackTo(migration: string, path: string): void {
  const database = new Database(path);
  const names = database.prepare<[], { name: string }>('select name from kysely_migration order by name desc').all();
  for (const { name } of names.filter((row) => row.name > migration)) {
    const statements = UNDOING[name];
    if (statements === undefined) throw new Error(`nobody has written down how ${name} is undone`);
    database.exec(statements);
    database.prepare('delete from kysely_migration where name = ?').run(name);
  }
  database.close();
}
