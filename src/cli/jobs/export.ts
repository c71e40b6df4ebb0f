/** Writes jobs as JSON Lines, page by page, the oldest first: what is submitted meanwhile comes last, and nothing is skipped. */
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from 'node:fs';
import { type AskingOptions, converse } from '../conversation.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { pagesOf } from '../pages.ts';
import { jsonLine, type Output } from '../print.ts';
import { createProgress } from '../progress.ts';
import { counted } from '../times.ts';
import { type FilterOptions, filterOf } from './filter.ts';

export type ExportOptions = AskingOptions & FilterOptions;

const PAGE_ITEMS = 100;
/** Payloads are for their owner alone. */
const FILE_MODE = 0o600;

/** Without a file, or to `-`, on standard output. */
export function exportJobs(named: string | undefined, options: ExportOptions, output: Output): Promise<void> {
  const file = named === '-' ? undefined : named;
  return converse(options, output, async ({ lq, clock }) => {
    const filter = filterOf(options);
    const progress = createProgress({ clock, stream: process.stderr, isWanted: output.tellsProgress() && !(file === undefined && output.isTerminal()) });
    const pages = pagesOf((after) => lq.jobDetails({ filter, first: PAGE_ITEMS, after }));
    let [count, redacted, partly] = [0, 0, 0];
    await written(file, output, async (write) => {
      for await (const jobs of pages) {
        await write(jobs.map(jsonLine).join(''));
        if (!output.isRead()) return;
        count += jobs.length;
        redacted += jobs.filter(({ payloadRedacted }) => payloadRedacted).length;
        partly += jobs.filter(({ redactedPaths }) => redactedPaths.length > 0).length;
        progress.update(`Exported ${counted(count, 'job')} …`);
      }
    }).finally(() => progress.clear());
    output.talk(`Exported ${counted(count, 'job')}${file === undefined ? '' : ` to ${file}`}.`);
    if (partly > 0) output.talk(`Redaction rules hid a part of the payload of ${counted(partly, 'job')}, which cannot be imported.`);
    if (redacted > 0) output.talk('Payloads and results were kept from this key, which lacks the scope PAYLOADS: they are null.');
  });
}

type Write = (text: string) => Promise<void>;

/** A file is there when it is whole, and never takes the place of another one. */
async function written(path: string | undefined, output: Output, work: (write: Write) => Promise<void>): Promise<void> {
  if (path === undefined) return work((text) => output.data(text));
  // The link at the end looks again; this look spares the work.
  if (existsSync(path)) throw unwritable(path, null);
  const temporary = `${path}.${process.pid}.part`;
  try {
    const file = openSync(temporary, 'wx', FILE_MODE);
    try {
      await work(async (text) => writeAll(file, Buffer.from(text)));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    linkSync(temporary, path);
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? unwritable(path, error) : error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function writeAll(file: number, bytes: Buffer): void {
  for (let from = 0; from < bytes.length; ) from += writeSync(file, bytes, from);
}

/** Without an error: there is such a file. */
function unwritable(path: string, error: Error | null): CommandFailure {
  const isThere = error === null || ('code' in error && error.code === 'EEXIST');
  const why = isThere ? 'is there already. Choose another name, or remove it' : `cannot be written: ${error.message}`;
  return new CommandFailure(`${path} ${why}. No file was made.`, EXIT.failed, { cause: error });
}
