/** API keys as the command line gets them: from a file that is its owner's alone, or as a text. No message repeats one. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { CommandFailure, EXIT } from './failure.ts';

const FILE_BYTES_MAX = 4_096;
const GROUP_OR_OTHERS = 0o077;
/** What a header can carry. */
const KEY_TEXT = /^[\x21-\x7e]+$/;

/** `whence` says who named the file. Throws a CommandFailure where it is none for a secret. */
export function readKeyFile(path: string, whence: string): string {
  const text = readSmallFile(path, whence);
  return keyText(text, `${path} (${whence})`);
}

/** The key in a text of one line. */
export function keyText(text: string, where: string): string {
  const key = text.replace(/\r?\n$/, '');
  if (KEY_TEXT.test(key)) return key;
  const fault = key === '' ? 'holds nothing' : 'does not hold an API key alone in one line';
  throw new CommandFailure(`${where} ${fault}. Put the key there, and nothing else.`, EXIT.failed);
}

function readSmallFile(path: string, whence: string): string {
  try {
    // Without the flag, a pipe that nobody writes to would wait for ever.
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      requirePrivate(fstatSync(file), path, whence);
      return readFileSync(file, 'utf8');
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof CommandFailure || !(error instanceof Error)) throw error;
    throw new CommandFailure(`the file of the API key, ${path} (${whence}), cannot be read: ${error.message}`, EXIT.failed, { cause: error });
  }
}

function requirePrivate(stats: Stats, path: string, whence: string): void {
  const refuse = (message: string): never => {
    throw new CommandFailure(`the file of the API key, ${path} (${whence}), ${message}`, EXIT.failed);
  };
  if (!stats.isFile()) refuse('is not a regular file.');
  if (stats.size > FILE_BYTES_MAX) refuse('is too long for a key.');
  // Windows has no such modes.
  if (process.platform !== 'win32' && (stats.mode & GROUP_OR_OTHERS) !== 0) refuse(`can be read by others than its owner. Run: chmod 600 ${shellWord(path)}`);
}

function shellWord(text: string): string {
  return /^[\w./@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
