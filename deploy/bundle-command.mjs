/**
 * Puts the compiled command line, with the client and the parser in it, into a few CommonJS files in its place: Node starts those
 * in two thirds of the time of the modules they come from (docs/adr/0019-the-command-is-bundled.md). What runs the server or opens
 * its database stays where it was compiled. Usage: node deploy/bundle-command.mjs [compiled folder]
 */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const compiled = resolve(process.argv[2] ?? 'dist');
const place = join(compiled, 'cli');
const commander = fileURLToPath(import.meta.resolve('commander'));
const parser = dirname(commander);
/** All that a command needs which asks a server. */
const bundled = [parser, ...['cli', 'client', 'worker', 'runtime', 'domain', 'auth'].map((folder) => join(compiled, folder))];

function isApart(id, importer) {
  if (id === 'commander') return false;
  const path = id.startsWith('.') ? resolve(dirname(importer), id) : id;
  return !bundled.some((folder) => path.startsWith(folder + sep));
}

const bundle = await rolldown({ input: join(place, 'main.js'), platform: 'node', external: isApart, resolve: { alias: { commander } } });
const { output } = await bundle.generate({ format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' });
await bundle.close();
await rm(place, { recursive: true });
await mkdir(place);
for (const { fileName, code } of output) await writeFile(join(place, fileName), code);
await copyFile(join(parser, 'LICENSE'), join(place, 'commander.LICENSE'));
