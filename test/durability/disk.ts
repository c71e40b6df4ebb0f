/**
 * A disk as it may be after a power cut. What was synced is there. Of what was not, each part may be there or not: whole
 * writes, single sectors of them, truncations, and the folder's entries for files that were created or removed.
 */
import { hash } from 'node:crypto';
import type { DatabaseFile, StorageCall } from './storage-log.ts';

const SECTOR_BYTES = 512;

/** Decides for each unsynced part in turn whether the disk holds it. */
export type Survival = () => boolean;

/**
 * What a failed sync does to what it was to make durable. File systems take such writes for written, so that no later
 * sync tries them again: they are `lost`, though every process reads them until the power is cut. `visible` is that view.
 */
export type FailedSync = 'lost' | 'visible';

/** How finely the unsynced parts are decided: call by call, or sector by sector. */
export type Grain = 'calls' | 'sectors';

export type DiskFiles = ReadonlyMap<DatabaseFile, Buffer>;

/** Numbers the parts that survive, so that two disks can be told apart without comparing what they hold. */
type Survivor = (part: string) => boolean;

export interface DiskState {
  readonly files: DiskFiles;
  /** Equal for equal disks of one run. */
  readonly key: string;
}

interface Inode {
  synced: Buffer;
  readonly pending: StorageCall[];
}

interface EntryChange {
  readonly name: DatabaseFile;
  /** Null: the entry was removed. */
  readonly inode: Inode | null;
}

export class Disk {
  readonly #failedSync: FailedSync;
  readonly #now = new Map<DatabaseFile, Inode>();
  readonly #synced = new Map<DatabaseFile, Inode>();
  #entryChanges: EntryChange[] = [];
  /** Grows whenever something becomes durable. */
  #version = 0;
  /** Grows whenever something becomes lost. */
  #losses = 0;

  constructor(failedSync: FailedSync) {
    this.#failedSync = failedSync;
  }

  apply(call: StorageCall): void {
    if (call.file === 'folder') {
      if (call.kind === 'sync') this.#syncFolder();
    } else if (call.file !== 'marks') this.#applyTo(call.file, call);
  }

  /** Whether something is not durable yet. */
  hasPending(): boolean {
    return this.#entryChanges.length > 0 || [...this.#now.values()].some(({ pending }) => pending.length > 0);
  }

  /** The disk after a power cut now. */
  after(survives: Survival, grain: Grain): DiskState {
    const survivors: string[] = [];
    const survivor: Survivor = (part) => survives() && survivors.push(part) > 0;
    const entries = new Map(this.#synced);
    for (const [number, { name, inode }] of this.#entryChanges.entries()) {
      if (!survivor(`entry${number}`)) continue;
      if (inode === null) entries.delete(name);
      else entries.set(name, inode);
    }
    const files = new Map<DatabaseFile, Buffer>();
    for (const [name, inode] of entries)
      files.set(
        name,
        contentOf(inode, (part) => survivor(`${name}${part}`), grain),
      );
    return { files, key: hash('sha1', `${this.#version} ${this.#losses} ${survivors.join(' ')}`, 'base64') };
  }

  #applyTo(name: DatabaseFile, call: StorageCall): void {
    if (call.kind === 'create') this.#change(name, { synced: Buffer.alloc(0), pending: [] });
    else if (call.kind === 'unlink') this.#change(name, null);
    else if (call.kind === 'sync') this.#sync(this.#inode(name));
    else if (call.kind === 'fault') this.#fail(this.#inode(name));
    else this.#inode(name).pending.push(call);
  }

  #fail(inode: Inode): void {
    if (this.#failedSync === 'visible') return;
    inode.pending.length = 0;
    this.#losses += 1;
  }

  #inode(name: DatabaseFile): Inode {
    const inode = this.#now.get(name);
    if (inode === undefined) throw new Error(`the storage log changes ${name}, which does not exist`);
    return inode;
  }

  #change(name: DatabaseFile, inode: Inode | null): void {
    if (inode === null) this.#now.delete(name);
    else this.#now.set(name, inode);
    this.#entryChanges.push({ name, inode });
  }

  #sync(inode: Inode): void {
    if (inode.pending.length === 0) return;
    inode.synced = contentOf(inode, () => true, 'calls');
    inode.pending.length = 0;
    this.#version += 1;
  }

  #syncFolder(): void {
    if (this.#entryChanges.length === 0) return;
    for (const { name, inode } of this.#entryChanges) {
      if (inode === null) this.#synced.delete(name);
      else this.#synced.set(name, inode);
    }
    this.#entryChanges = [];
    this.#version += 1;
  }
}

function contentOf({ synced, pending }: Inode, survives: Survivor, grain: Grain): Buffer {
  let size = synced.length;
  const room = pending.reduce((most, { kind, offset, bytes }) => Math.max(most, kind === 'truncate' ? offset : offset + bytes.length), size);
  const content = Buffer.alloc(room);
  synced.copy(content);
  for (const [number, call] of pending.entries()) {
    if (call.kind !== 'truncate') size = write(content, size, call, (sector) => survives(`${number}${sector}`), grain);
    else if (survives(String(number))) {
      if (call.offset < size) content.fill(0, call.offset, size);
      size = call.offset;
    }
  }
  return content.subarray(0, size);
}

/** Answers the file's size after what survives of the write. */
function write(content: Buffer, before: number, { offset, bytes }: StorageCall, survives: Survivor, grain: Grain): number {
  let size = before;
  for (let from = 0; from < bytes.length; ) {
    const toNextSector = SECTOR_BYTES - ((offset + from) % SECTOR_BYTES);
    const to = grain === 'calls' ? bytes.length : Math.min(from + toNextSector, bytes.length);
    if (survives(grain === 'calls' ? '' : `.${from}`)) {
      bytes.copy(content, offset + from, from, to);
      size = Math.max(size, offset + to);
    }
    from = to;
  }
  return size;
}
