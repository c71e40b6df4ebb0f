/** What the command line says. */
import { parseArgs } from 'node:util';

export interface Options {
  readonly quick: boolean;
  readonly peers: boolean;
  readonly list: boolean;
  readonly help: boolean;
  /** Beginnings of row names; none: every row. */
  readonly only: readonly string[];
  readonly repeats: number | null;
  readonly mixedSeconds: number | null;
  readonly screenJobs: number | null;
  readonly screenDatabase: string | null;
  readonly folder: string | null;
  readonly out: string | null;
  readonly profile: string | null;
  /** Another checkout to compare with, and nothing else. */
  readonly against: string | null;
}

export const HELP = `Measures LeaseQueue on this machine, beside what the machine could do and, if asked, beside other queues.

  npm run bench                          every row, long enough to quote (about an hour)
  npm run bench -- --quick               within a minute, to see that nothing is far off
  npm run bench -- --peers               with BullMQ, pg-boss, graphile-worker, plainjob and liteque
  npm run bench -- --only submit/http    rows whose names begin so; several, with commas or the option repeated
  npm run bench -- --profile process/100 where the server's time goes while that row is measured
  npm run bench -- --against ../before   this checkout beside another one that is installed, in slices that alternate

  --list               names every row and what it is
  --repeats N          measurements per row; their median counts (3; quick: 1)
  --mixed-seconds N    length of the mixed load (600; quick: 2)
  --screen-jobs N      jobs of the database behind the screens (5000000; quick: 10000)
  --screen-database F  keeps that database in the file F, or measures with the one that is there
  --folder PATH        where the databases are kept while it runs (the temporary folder)
  --out FILE           where the result goes as JSON (bench/results/<time>.json)
  --help               this text

The table goes to stdout, progress to stderr. Exit code 1: a row failed, 2: the command line is wrong.
`;

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

function wholeNumber(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new UsageError(`--${name} must be a whole number from 1, not "${text}"`);
  return Number(text);
}

/** Throws `UsageError` with what is wrong. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parse(args);
  return {
    quick: values.quick,
    peers: values.peers,
    list: values.list,
    help: values.help,
    only: values.only.flatMap((text) => text.split(',')).filter((text) => text !== ''),
    repeats: wholeNumber('repeats', values.repeats),
    mixedSeconds: wholeNumber('mixed-seconds', values['mixed-seconds']),
    screenJobs: wholeNumber('screen-jobs', values['screen-jobs']),
    screenDatabase: values['screen-database'] ?? null,
    folder: values.folder ?? null,
    out: values.out ?? null,
    profile: values.profile ?? null,
    against: values.against ?? null,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        quick: { type: 'boolean', default: false },
        peers: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: [] },
        repeats: { type: 'string' },
        'mixed-seconds': { type: 'string' },
        'screen-jobs': { type: 'string' },
        'screen-database': { type: 'string' },
        folder: { type: 'string' },
        out: { type: 'string' },
        profile: { type: 'string' },
        against: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
