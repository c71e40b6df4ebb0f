/** `leasequeue db backup`: a verified copy of the database, beside the server that runs on it or without one. */
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemClock } from '../../runtime/clock.ts';
import { mintSecret, systemEntropy } from '../../runtime/entropy.ts';
import { backUp } from '../../store/engines/backup.ts';
import { DatabaseUnusable } from '../../store/engines/engine.ts';
import type { Examination } from '../../store/inspection/examine.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { existingDatabasePath } from '../key-database.ts';
import { jsonDocument, type Output } from '../print.ts';
import { checksOf, contentsText, examineFile, explaining, fileNamed, versionName } from './findings.ts';
import { tidyingUp } from './interrupted.ts';

export interface BackupOptions {
  readonly force?: true;
  readonly json?: true;
}

export async function backUpDatabase(named: string, { force, json }: BackupOptions, output: Output): Promise<void> {
  const [path, target] = [existingDatabasePath(), fileNamed(named)];
  refuseTarget(path, target, force === true);
  const startedMs = systemClock.monotonicMs();
  const partial = `${target}.partial-${mintSecret(systemEntropy).slice(0, 8)}`;
  const found = { examination: null as Examination | null };
  const verify = async (file: string): Promise<void> => {
    found.examination = await sound(file);
  };
  await explaining(() => tidyingUp([partial, `${partial}-journal`], () => backUp({ path, target, partial, replaces: force === true, verify })));
  await tell({ target, examination: found.examination, seconds: Math.ceil(systemClock.monotonicMs() - startedMs) / 1000 }, json === true, output);
}

function refuseTarget(path: string, target: string, isForced: boolean): void {
  const refuse = (reason: string, code: CommandFailure['exitCode']): never => {
    throw new CommandFailure(`${reason} No backup was made.`, code);
  };
  if (!existsSync(dirname(target))) refuse(`There is no folder ${dirname(target)}.`, EXIT.failed);
  if (!existsSync(target)) return;
  const there = statSync(target);
  const { dev, ino } = statSync(path);
  if (!there.isFile()) refuse(`${target} is not a file.`, EXIT.conflict);
  if (there.dev === dev && there.ino === ino) refuse(`${target} is the database itself.`, EXIT.conflict);
  if (existsSync(`${target}-wal`)) refuse(`${target} is a database in use, or was not closed: ${target}-wal is part of it.`, EXIT.conflict);
  if (!isForced) refuse(`${target} is there already. Choose another name, or replace it with --force.`, EXIT.conflict);
}

/** Throws where the copy is damaged. What disagrees in it disagrees in the database, and is worth keeping all the same. */
async function sound(file: string): Promise<Examination> {
  const examination = await examineFile(file, 'copy');
  const [damage] = examination.damage;
  if (damage === undefined) return examination;
  throw new DatabaseUnusable(`The copy is damaged (${damage}), and was removed. No backup was made. Look at the database: leasequeue db check`);
}

interface Outcome {
  readonly target: string;
  readonly examination: Examination | null;
  readonly seconds: number;
}

async function tell({ target, examination, seconds }: Outcome, json: boolean, output: Output): Promise<void> {
  const { size: bytes } = statSync(target);
  const contents = examination?.contents ?? null;
  const schema = examination?.schema == null ? null : versionName(examination.schema);
  const disagreements = examination === null || contents === null ? [] : checksOf(examination).filter((check) => !check.sound);
  await output.data(json ? jsonDocument({ backup: target, bytes, schema, contents, sound: disagreements.length === 0 }) : `${target}\n`);
  output.talk(`Backed up and checked in ${seconds} s: ${bytes} bytes, schema ${schema}${contents === null ? '' : `, ${contentsText(contents)}`}.`);
  for (const { findings } of disagreements)
    output.talk(`warning: the database disagrees with itself, and so does the backup: ${findings[0]}. See: leasequeue db check`);
}
