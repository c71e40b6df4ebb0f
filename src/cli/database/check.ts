/** `leasequeue db check`: whether a database is sound, and what is wrong with it. */
import { existsSync } from 'node:fs';
import { systemClock } from '../../runtime/clock.ts';
import type { Examination } from '../../store/inspection/examine.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { existingDatabasePath } from '../key-database.ts';
import { jsonDocument, type Output } from '../print.ts';
import { type Check, checksOf, contentsText, examineFile, explaining, fileNamed } from './findings.ts';

export interface CheckOptions {
  readonly json?: true;
}

export async function checkDatabase(named: string | undefined, { json }: CheckOptions, output: Output): Promise<void> {
  const path = named === undefined ? existingDatabasePath() : fileNamed(named);
  if (!existsSync(path)) throw new CommandFailure(`there is no file ${path}`, EXIT.notFound);
  const startedMs = systemClock.monotonicMs();
  const examination = await explaining(() => examineFile(path, 'whole'));
  const checks = checksOf(examination);
  const sound = checks.every((check) => check.sound);
  await output.data(json ? jsonDocument({ database: path, sound, contents: examination.contents, checks }) : checks.map(lines).join(''));
  const seconds = Math.ceil(systemClock.monotonicMs() - startedMs) / 1000;
  if (!sound) throw new CommandFailure(`${path} is not sound. Nothing was changed. ${adviceOn(examination)}`, EXIT.failed);
  const { contents } = examination;
  output.talk(`${path} is sound: ${contents === null ? '' : contentsText(contents)}, looked at in ${seconds} s.`);
}

function lines({ name, rule, sound, findings, hasMore }: Check): string {
  const more = hasMore ? ['and more'] : [];
  return [
    `${sound ? 'ok ' : 'bad'}  ${name.padEnd(8)}  ${sound ? '' : 'it does not hold that '}${rule}`,
    ...[...findings, ...more].map((text) => `       ${text}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function adviceOn({ damage, verdicts }: Examination): string {
  if (damage.length > 0) return 'Look at the disk, stop the server, and restore a backup: leasequeue db restore <file>. Keep the damaged file.';
  if (verdicts.length > 0)
    return 'No page is damaged, but the store disagrees with itself: please report it with these lines, keep a backup of it as it is, and restore an earlier one if work is affected.';
  return 'The rules of this version were not looked at.';
}
