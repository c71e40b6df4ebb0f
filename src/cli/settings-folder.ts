/** The folder of the command line's own files, and how they are written: whole or not at all, for their owner alone. */
import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { Environ } from '../runtime/environment.ts';
import { CommandFailure, EXIT } from './failure.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

export function settingsFolder(env: Environ, platform: NodeJS.Platform = process.platform): string {
  return join(platform === 'win32' ? (env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming')) : configHome(env), 'leasequeue');
}

/** A relative path in the variable counts as none: it would be another folder for each working directory. */
function configHome(env: Environ): string {
  const home = env['XDG_CONFIG_HOME'] ?? '';
  return isAbsolute(home) ? home : join(homedir(), '.config');
}

/** Whoever reads at the same time sees the old text or the new one. Throws a CommandFailure where it could not be written. */
export function writePrivateFile(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
    chmodSync(dirname(path), FOLDER_MODE);
    replaceFile(path, text);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new CommandFailure(`${path} cannot be written: ${error.message}. It is as it was.`, EXIT.failed, { cause: error });
  }
}

function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    rmSync(temporary, { force: true });
    writeDurably(temporary, text);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'wx', FILE_MODE);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
