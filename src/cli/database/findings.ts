/** What was found in a database, in the form that commands print. */
import { resolve } from 'node:path';
import { systemClock } from '../../runtime/clock.ts';
import { DatabaseUnusable } from '../../store/engines/engine.ts';
import { openSnapshot } from '../../store/engines/snapshot.ts';
import { type Contents, type Depth, type Examination, examine, isCurrent } from '../../store/inspection/examine.ts';
import { sentenceOf } from '../../store/inspection/inspect.ts';
import type { SchemaVersion } from '../../store/migrations/index.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { withProgress } from './timed-progress.ts';

export interface Check {
  readonly name: string;
  /** What holds where it is sound. */
  readonly rule: string;
  readonly sound: boolean;
  readonly findings: readonly string[];
  readonly hasMore: boolean;
}

/** Tells on standard error how far it has come. */
export async function examineFile(path: string, depth: Depth): Promise<Examination> {
  const snapshot = openSnapshot(path);
  try {
    return await withProgress({ clock: systemClock, stream: process.stderr }, (say) => examine(snapshot, depth, (rule) => say(`checking that ${rule}`)));
  } finally {
    await snapshot.close();
  }
}

export function checksOf({ damage, schema, verdicts }: Examination): readonly Check[] {
  return [
    check('pages', 'the pages of the file are sound', damage),
    ...(schema === null ? [] : [check('schema', 'the schema is that of this version', schemaFindings(schema))]),
    ...verdicts.map(({ name, rule, breaches, hasMore }) => ({ ...check(name, rule, breaches.map(sentenceOf)), hasMore })),
  ];
}

function check(name: string, rule: string, findings: readonly string[]): Check {
  return { name, rule, sound: findings.length === 0, findings, hasMore: false };
}

function schemaFindings(schema: SchemaVersion): readonly string[] {
  if (isCurrent(schema)) return [];
  const [rest, { applied, missing, unknown }] = ['so that nothing more was looked at', schema];
  if (unknown.length > 0) return [`it is of a newer version, with ${unknown.join(', ')}, ${rest}; use the command of that version`];
  if (applied.length === 0) return [`it holds no tables of LeaseQueue, ${rest}`];
  return [`it is of an older version, without ${missing.join(', ')}, ${rest}; \`leasequeue db migrate\` brings it to this one`];
}

/** The name of the last step, which is the name of the version. */
export function versionName({ applied }: SchemaVersion): string {
  return applied.at(-1) ?? 'none';
}

export function contentsText({ tenants, jobs, events, apiKeys }: Contents): string {
  const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
  return `${counted(tenants, 'tenant')}, ${counted(jobs, 'job')}, ${counted(events, 'event')}, ${counted(apiKeys, 'key')}`;
}

/** What the store says of a file is for the person who called. */
export async function explaining<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DatabaseUnusable ? new CommandFailure(error.message, EXIT.failed, { cause: error }) : error;
  }
}

/** A file that a person names, as an absolute path. */
export function fileNamed(text: string): string {
  return resolve(text);
}
