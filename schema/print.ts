/**
 * Writes the published contract: schema.graphql, sorted, and the pages made from the domain's tables. With `--check` it
 * writes nothing and fails where a committed file is not what the code says.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { schema } from '../src/graphql/schema.ts';
import { printedSchema } from '../src/graphql/stated-terms.ts';
import { contractFiles } from './contract-files.ts';

const files = new Map([['schema.graphql', printedSchema(schema)], ...contractFiles()]);

const place = (name: string): URL => new URL(name, import.meta.url);

function committed(name: string): string | null {
  try {
    return readFileSync(place(name), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** The first line that differs, for whoever wonders why the check fails. */
function firstDifference(wanted: string, found: string): string {
  const lines = found.split('\n');
  const index = wanted.split('\n').findIndex((line, at) => line !== lines[at]);
  const line = index === -1 ? wanted.split('\n').length + 1 : index + 1;
  return `line ${line}: the code says ${JSON.stringify(wanted.split('\n')[line - 1] ?? null)}, the file ${JSON.stringify(lines[line - 1] ?? null)}`;
}

if (process.argv.includes('--check')) {
  const stale = [...files].filter(([name, wanted]) => committed(name) !== wanted);
  for (const [name, wanted] of stale) process.stderr.write(`schema/${name} is stale, ${firstDifference(wanted, committed(name) ?? '')}\n`);
  if (stale.length > 0) process.stderr.write('Run `npm run generate` and commit the result.\n');
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [name, text] of files) writeFileSync(place(name), text);
}
