/** Row types of what happened in queues over time. */
import type { TenantId } from '../domain/job.ts';
import type { SeriesSums } from './series-columns.ts';

/** What happened in a queue within a few seconds, for rates. Upkeep moves it on into minutes. */
export interface QueueActivityTable extends SeriesSums {
  readonly tenant_id: TenantId;
  readonly queue_name: string;
  readonly bucket_ms: number;
}

/** The same of a minute or an hour; an empty name is the tenant as a whole. Nothing is in two of the rows of a queue. */
export interface QueueSeriesTable extends SeriesSums {
  readonly tenant_id: TenantId;
  readonly queue_name: string;
  readonly step_seconds: 60 | 3600;
  readonly bucket_ms: number;
}
