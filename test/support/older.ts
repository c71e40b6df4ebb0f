/** Takes a database back to what an earlier version left: each step undoes a migration, the latest first. */
import Database from 'better-sqlite3';

const UNDOING: Readonly<Record<string, string>> = {
  '006-redaction-rules': 'drop table redaction_rules',
  '005-operator-actions': 'drop table operator_actions',
  '004-queue-series': `drop table queue_series; drop table queue_activity;
    create table queue_activity (
      tenant_id text not null, queue_name text not null, bucket_ms integer not null,
      submitted integer not null, claimed integer not null, completed integer not null, failed integer not null,
      primary key (tenant_id, queue_name, bucket_ms)
    ) strict, without rowid`,
  '003-dead-letter-groups': `drop index jobs_by_dead_group; drop index jobs_by_dead_group_end;
    alter table jobs drop column dead_group; alter table attempts drop column error_group;
    drop table dead_groups; drop table dead_group_activity`,
  '002-access': 'drop table tenants; drop table tenant_usage; drop table api_keys',
};

/** `version`: the last migration that stays. */
export function makeOlder(path: string, version: string): void {
  const database = new Database(path);
  const names = database.prepare<[], string>('select name from kysely_migration order by name desc').pluck().all();
  for (const name of names.filter((applied) => applied > version)) {
    const undoing = UNDOING[name];
    if (undoing === undefined) throw new Error(`nothing here undoes ${name}`);
    database.exec(`${undoing}; delete from kysely_migration where name = '${name}'`);
  }
  database.close();
}
