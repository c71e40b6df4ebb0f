/** What the doctor says of what is in the database, and of who uses it. Needs the Node of the server. */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseUnusable } from '../../store/engines/engine.ts';
import { interruptedRestore } from '../../store/engines/half-restored.ts';
import { isServed } from '../../store/engines/locks.ts';
import { isCurrent } from '../../store/inspection/examine.ts';
import type { SchemaVersion } from '../../store/migrations/index.ts';
import { checksOf, contentsText, examineFile, versionName } from '../database/findings.ts';
import { mebibytes } from './files.ts';
import { bad, ok, type Symptom, warn } from './symptom.ts';

/** A bigger one is read by those who ask for that: it takes more than a few seconds. */
const EXAMINED_BYTES_MAX = 512 * 1024 * 1024;

/** Whether a server uses the database, as far as this process can know. */
export function ownerSymptom(path: string): Symptom {
  try {
    return ok('owner', isServed(path) ? 'a server runs on the database' : 'no server runs on the database');
  } catch (error) {
    if (!(error instanceof DatabaseUnusable)) throw error;
    return bad('owner', error.message, 'Call the doctor as the user of the server.');
  }
}

/** What a restore that was killed has left: a copy of the backup that nobody uses. */
export function leftoverSymptoms(path: string): readonly Symptom[] {
  const left = readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.restoring-`));
  return left.length === 0 ? [] : [warn('leftover', left.join(', '), 'Remove it, unless a restore is running: it is an unfinished copy of a backup.')];
}

/** Null where none is half done. */
export function restoreSymptom(path: string): Symptom | null {
  const aside = interruptedRestore(path);
  if (aside === null) return null;
  return bad('restore', `a restore was interrupted; the files from before are kept as ${aside}`, 'Repeat it: leasequeue db restore <file> --yes');
}

export async function contentSymptoms(path: string): Promise<readonly Symptom[]> {
  const { size } = statSync(path);
  if (size > EXAMINED_BYTES_MAX) return [warn('content', `was not looked at, as the file has ${mebibytes(size)}`, 'Look at it with: leasequeue db check')];
  try {
    return await examined(path);
  } catch (error) {
    if (!(error instanceof DatabaseUnusable)) throw error;
    return [bad('content', error.message, 'Call the doctor as the user of the server.')];
  }
}

async function examined(path: string): Promise<readonly Symptom[]> {
  const examination = await examineFile(path, 'quick');
  const { damage, schema, contents } = examination;
  if (schema === null) return [bad('content', `the file is damaged: ${damage[0]}`, 'Restore a backup: leasequeue db restore <file>')];
  const wrong = checksOf(examination).filter(({ name, sound }) => name !== 'schema' && !sound);
  const symptoms = wrong.map(({ rule, findings }) => bad('content', `it does not hold that ${rule}: ${findings[0]}`, 'See all of it: leasequeue db check'));
  if (contents !== null && wrong.length === 0) symptoms.push(ok('content', `${contentsText(contents)}; agrees with itself`));
  return [schemaSymptom(schema), ...symptoms];
}

function schemaSymptom(schema: SchemaVersion): Symptom {
  const name = versionName(schema);
  if (isCurrent(schema)) return ok('schema', name);
  if (schema.unknown.length > 0) return bad('schema', `${name} is of a newer version`, 'Use that version, or restore a backup that this one made.');
  if (schema.applied.length === 0) return warn('schema', 'the file has no tables of LeaseQueue yet', 'Is it the right file? A server makes them at its start.');
  return warn('schema', `${name} is of an older version`, 'The next start of a server migrates it, as does: leasequeue db migrate');
}
