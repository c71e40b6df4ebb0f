/** What the doctor says of the database as a file: where it is, who may do what with it, and how much room there is. */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { bad, ok, type Symptom, warn } from './symptom.ts';

/** Magic numbers of Linux, from statfs(2), of file systems on which the locks of a database cannot be relied on. */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9p'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
]);
/** The write-ahead log grows to this. */
const FREE_BYTES_MIN = 64 * 1024 * 1024;
const OTHERS_WRITE = 0o022;
const OTHERS_READ = 0o044;

export function fileSymptoms(path: string): readonly Symptom[] {
  const folder = dirname(path);
  if (!existsSync(folder)) return [bad('folder', `${folder} does not exist`, 'Create it, or set LEASEQUEUE_DATABASE_PATH to another place.')];
  return [folderSymptom(folder), fileSystemSymptom(folder), spaceSymptom(path, folder), ...(existsSync(path) ? ownFileSymptoms(path) : [])];
}

function folderSymptom(folder: string): Symptom {
  if (isAllowed(folder, constants.W_OK | constants.X_OK)) return ok('folder', folder);
  return bad('folder', `${folder} cannot be written to`, 'Give the user of the server write access to it, for the files beside the database.');
}

function fileSystemSymptom(folder: string): Symptom {
  const name = process.platform === 'linux' ? NETWORK_FILE_SYSTEMS.get(statfsSync(folder).type >>> 0) : undefined;
  if (name === undefined) return ok('disk', 'no network file system that is known');
  return bad('disk', `${folder} is on a network file system (${name})`, 'Move the database to a local disk: locks and the write-ahead log do not work there.');
}

function spaceSymptom(path: string, folder: string): Symptom {
  const { bavail, bsize } = statfsSync(folder);
  const [free, used] = [bavail * bsize, existsSync(path) ? statSync(path).size : 0];
  if (free < FREE_BYTES_MIN) return bad('space', `${mebibytes(free)} are free`, 'Make room: writes are refused where there is none.');
  if (free < used)
    return warn('space', `${mebibytes(free)} are free, less than the ${mebibytes(used)} of the database`, 'A backup beside it does not fit; make room.');
  return ok('space', `${mebibytes(free)} are free`);
}

function ownFileSymptoms(path: string): readonly Symptom[] {
  const about = 'file';
  const stat = statSync(path);
  if (!stat.isFile()) return [bad(about, `${path} is not a file`, 'Set LEASEQUEUE_DATABASE_PATH to a file.')];
  if (!isAllowed(path, constants.R_OK | constants.W_OK)) return [bad(about, `${path} cannot be written to`, 'Give the user of the server write access to it.')];
  const mode = (stat.mode & 0o777).toString(8);
  if ((stat.mode & OTHERS_WRITE) !== 0) return [bad(about, `${path} may be written by others (mode ${mode})`, `chmod 600 ${path}`)];
  if ((stat.mode & OTHERS_READ) !== 0) return [warn(about, `${path} may be read by others (mode ${mode}), with all payloads`, `chmod 600 ${path}`)];
  return [ok(about, `${path}, ${mebibytes(stat.size)}, mode ${mode}`)];
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

export function mebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(bytes < 104_857_600 ? 1 : 0)} MiB`;
}
