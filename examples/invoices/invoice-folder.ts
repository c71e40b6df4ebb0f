/**
 * Where the invoices are. A file is there as a whole or not at all, and no holder of a job can touch what a newer one made:
 * each writes under the fence of its own claim. The one that counts is the file that the job's result names, because the
 * server takes a result from the newest holder only.
 */
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface Holder {
  readonly id: string;
  readonly fence: number;
}

/** Writes `<job id>.<fence>.pdf` and answers with that name. Repeated under the same fence, it puts the same file there again. */
export async function putInvoice(folder: string, { id, fence }: Holder, bytes: Uint8Array): Promise<string> {
  await mkdir(folder, { recursive: true });
  const newer = (await fencesOf(folder, id)).find((other) => other > fence);
  if (newer !== undefined) throw new Error(`the job was claimed again: fence ${newer} is there already, this is ${fence}`);
  const name = `${id}.${fence}.pdf`;
  await writeWhole(folder, name, bytes);
  await removeOlder(folder, { id, fence });
  return name;
}

/** On the disk when it returns: the job is reported as done next, and that is never undone. */
async function writeWhole(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  const file = await open(join(folder, `${name}.part`), 'w');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(join(folder, `${name}.part`), join(folder, name));
  await syncFolder(folder);
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  await handle.sync();
  await handle.close();
}

/** What earlier holders left, half-written files of killed ones among them. */
async function removeOlder(folder: string, { id, fence }: Holder): Promise<void> {
  const older = (await fencesOf(folder, id)).filter((other) => other < fence);
  for (const other of older) for (const end of ['pdf', 'pdf.part']) await rm(join(folder, `${id}.${other}.${end}`), { force: true });
}

async function fencesOf(folder: string, id: string): Promise<readonly number[]> {
  const names = await readdir(folder);
  return names.filter((name) => name.startsWith(`${id}.`)).map((name) => Number(name.split('.')[1]));
}
