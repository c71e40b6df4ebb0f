/** The statements that make one row of several in the figures over time, and remove what was made of. */
import { type OnConflictBuilder, sql } from 'kysely';
import type { TenantId } from '../../domain/job.ts';
import { SERIES_COLUMNS, summed } from '../series-columns.ts';
import { statement } from '../statements.ts';
import type { Tables } from '../tables.ts';

interface Old {
  readonly tenant: TenantId;
  readonly queue: string;
  readonly beforeMs: number;
}

const KEY = ['tenant_id', 'queue_name', 'step_seconds', 'bucket_ms'] as const;
const MINUTE = sql.raw<number>('bucket_ms - bucket_ms % 60000');
const HOUR = sql.raw<number>('bucket_ms - bucket_ms % 3600000');

const addSums = (conflict: OnConflictBuilder<Tables, 'queue_series'>) =>
  conflict
    .columns(KEY)
    .doUpdateSet((eb) => Object.fromEntries(SERIES_COLUMNS.map((name) => [name, eb(`queue_series.${name}`, '+', eb.ref(`excluded.${name}`))])));

const secondsInto = (name: 'queue' | 'tenant') =>
  statement((db, { tenant, queue, beforeMs }: Old) =>
    db
      .insertInto('queue_series')
      .columns([...KEY, ...SERIES_COLUMNS])
      .expression((eb) =>
        eb
          .selectFrom('queue_activity')
          .select('tenant_id')
          .select((part) => [name === 'queue' ? part.ref('queue_name').as('name') : sql.lit('').as('name'), sql.lit(60).as('step_seconds')])
          .select([MINUTE.as('minute_ms'), summed(SERIES_COLUMNS)])
          .where('tenant_id', '=', tenant)
          .where('queue_name', '=', queue)
          .where('bucket_ms', '<', beforeMs)
          .groupBy(MINUTE),
      )
      .onConflict(addSums),
  );

export const ADD_SECONDS_TO_QUEUE = secondsInto('queue');
export const ADD_SECONDS_TO_TENANT = secondsInto('tenant');
export const DELETE_SECONDS = statement((db, { tenant, queue, beforeMs }: Old) =>
  db.deleteFrom('queue_activity').where('tenant_id', '=', tenant).where('queue_name', '=', queue).where('bucket_ms', '<', beforeMs),
);

export const ADD_MINUTES_TO_HOURS = statement((db, { tenant, queue, beforeMs }: Old) =>
  db
    .insertInto('queue_series')
    .columns([...KEY, ...SERIES_COLUMNS])
    .expression((eb) =>
      eb
        .selectFrom('queue_series')
        .select(['tenant_id', 'queue_name', sql.lit(3600).as('step_seconds'), HOUR.as('hour_ms'), summed(SERIES_COLUMNS)])
        .where('tenant_id', '=', tenant)
        .where('queue_name', '=', queue)
        .where('step_seconds', '=', sql.lit(60))
        .where('bucket_ms', '<', beforeMs)
        .groupBy(HOUR),
    )
    .onConflict(addSums),
);

const deleteStep = (seconds: 60 | 3600) =>
  statement((db, { tenant, queue, beforeMs }: Old) =>
    db
      .deleteFrom('queue_series')
      .where('tenant_id', '=', tenant)
      .where('queue_name', '=', queue)
      .where('step_seconds', '=', sql.lit(seconds))
      .where('bucket_ms', '<', beforeMs),
  );
export const DELETE_MINUTES = deleteStep(60);
export const DELETE_HOURS = deleteStep(3600);
