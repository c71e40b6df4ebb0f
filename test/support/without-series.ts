/** What takes a database back to before figures over time were kept in it. */
import { SERIES_COLUMNS } from '../../src/store/series-columns.ts';

const ADDED = SERIES_COLUMNS.filter((name) => !['submitted', 'claimed', 'completed', 'failed'].includes(name));

/** Ends with a semicolon. */
export const WITHOUT_SERIES = [
  'drop table queue_series',
  'drop index queue_activity_died',
  ...ADDED.map((name) => `alter table queue_activity drop column ${name}`),
  `delete from kysely_migration where name = '004-queue-series'`,
  `delete from store_meta where key = 'series_since_ms'`,
  '',
].join(';\n');
