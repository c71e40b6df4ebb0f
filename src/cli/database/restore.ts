/** `leasequeue db restore`: a backup in the place of the database, which is kept under another name. */
import { existsSync, statSync } from 'node:fs';
import { systemClock } from '../../runtime/clock.ts';
import { DatabaseUnusable } from '../../store/engines/engine.ts';
import { isServed } from '../../store/engines/locks.ts';
import { asideOf, restore } from '../../store/engines/restore.ts';
import { type Examination, isCurrent } from '../../store/inspection/examine.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { databasePath } from '../key-database.ts';
import { jsonDocument, type Output } from '../print.ts';
import { checksOf, contentsText, examineFile, explaining, fileNamed, versionName } from './findings.ts';
import { tidyingUp } from './interrupted.ts';

export interface RestoreOptions {
  readonly yes?: true;
  readonly json?: true;
}

export async function restoreDatabase(named: string, { yes, json }: RestoreOptions, output: Output): Promise<void> {
  const [path, backup] = [databasePath(), fileNamed(named)];
  requireBackup(path, backup);
  await explaining(async () => {
    if (isServed(path)) throw new CommandFailure(`A server runs on the database ${path}. Nothing was changed. Stop it, then restore.`, EXIT.conflict);
  });
  const stamp = new Date(systemClock.nowMs()).toISOString().replaceAll(/[-:.]/g, '');
  if (yes !== true) return preview({ path, backup, stamp }, json === true, output);
  await carryOut({ path, backup, stamp }, json === true, output);
}

interface Restoration {
  readonly path: string;
  readonly backup: string;
  readonly stamp: string;
}

function requireBackup(path: string, backup: string): void {
  if (!existsSync(backup)) throw new CommandFailure(`There is no file ${backup}. Nothing was changed.`, EXIT.notFound);
  const [from, to] = [statSync(backup), existsSync(path) ? statSync(path) : null];
  if (!from.isFile()) throw new CommandFailure(`${backup} is not a file. Nothing was changed.`, EXIT.failed);
  if (from.dev === to?.dev && from.ino === to.ino) throw new CommandFailure(`${backup} is the database itself. Nothing was changed.`, EXIT.conflict);
}

/** Nobody is asked: whoever means it repeats the command with one word more. */
async function preview({ path, backup, stamp }: Restoration, json: boolean, output: Output): Promise<void> {
  const examination = await explaining(() => restorable(backup));
  const { files, aside } = asideOf(path, stamp);
  const steps = [
    files.length === 0
      ? `There is no database at ${path} yet.`
      : `Would move ${files.join(', ')} to ${aside.replace(/-\w+$/, '-<time>')}, with the same endings.`,
    `Would put ${backup} in its place: ${described(examination)}.`,
  ];
  await output.data(json ? jsonDocument({ restored: false, database: path, backup, contents: examination.contents, moves: files }) : `${steps.join('\n')}\n`);
  throw new CommandFailure('Nothing was changed. Repeat the command with --yes to do this.', EXIT.usage);
}

async function carryOut({ path, backup, stamp }: Restoration, json: boolean, output: Output): Promise<void> {
  const found = { text: '', contents: null as Examination['contents'] };
  const verify = async (file: string): Promise<void> => {
    const examination = await restorable(file, backup);
    found.text = described(examination);
    found.contents = examination.contents;
  };
  const movedTo = await explaining(() => tidyingUp([`${path}.restoring-${stamp}`], () => restore({ path, backup, stamp, verify })));
  if (json) await output.data(jsonDocument({ restored: true, database: path, backup, contents: found.contents, movedTo }));
  output.talk(`Restored ${path} from ${backup}: ${found.text}.`);
  output.talk(movedTo === null ? 'There was no database before.' : `The database from before is kept as ${movedTo}. Remove it when you are sure.`);
}

/** Throws where no server of this version could start with it. `name`: how the caller calls the file. */
async function restorable(file: string, name = file): Promise<Examination> {
  const examination = await examineFile(file, 'copy');
  const { damage, schema } = examination;
  if (schema === null) throw new DatabaseUnusable(`The backup is damaged: ${name} (${damage[0]}). Nothing was changed. Take another one.`);
  if (schema.applied.length === 0) throw new DatabaseUnusable(`The file holds no database of LeaseQueue: ${name}. Nothing was changed.`);
  if (schema.unknown.length === 0) return examination;
  throw new DatabaseUnusable(
    `The backup is of a newer version of LeaseQueue: ${name} (it has ${schema.unknown.join(', ')}). Nothing was changed. Use that version.`,
  );
}

function described(examination: Examination): string {
  const { schema, contents } = examination;
  if (schema === null || contents === null)
    return `of an older version${schema === null ? '' : ` (${versionName(schema)})`}, which the next start of the server migrates`;
  const bad = isCurrent(schema) ? checksOf(examination).filter(({ sound }) => !sound) : [];
  return `${contentsText(contents)}${bad.map(({ findings }) => `; it disagrees with itself: ${findings[0]}`).join('')}`;
}
