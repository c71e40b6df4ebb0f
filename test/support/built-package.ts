/** The package as users get it: compiled, packed by npm, and unpacked into an empty project. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = (name: string): string => join(root, 'node_modules/.bin', name);

export interface BuiltPackage {
  /** An empty project that has installed it. */
  readonly project: string;
  /** The package in it. */
  readonly path: string;
  /** The program of the command line in it. */
  readonly command: string;
  /** Runs a program in the project and answers with what it printed; throws with that where it fails. */
  run(program: string, ...args: readonly string[]): string;
  tsc(...args: readonly string[]): string;
  [Symbol.dispose](): void;
}

/** Writes files from their paths and texts below a folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** What `npm run build` does, into a folder of its own. */
export function compileInto(folder: string): void {
  execFileSync(program('tsc'), ['--project', join(root, 'tsconfig.build.json'), '--outDir', folder], { stdio: 'inherit' });
  execFileSync(process.execPath, [join(root, 'deploy/bundle-command.mjs'), folder], { stdio: 'inherit' });
  execFileSync(program('vite'), ['build', '--logLevel', 'warn', '--outDir', join(folder, 'console')], { cwd: root, stdio: 'inherit' });
}

export function buildPackage(): BuiltPackage {
  const project = mkdtempSync(join(tmpdir(), 'leasequeue-package-'));
  const run = (program: string, ...args: readonly string[]): string => {
    try {
      return execFileSync(program, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
      throw new Error(`${program} ${args.join(' ')}:\n${stdout}${stderr}`, { cause: error });
    }
  };
  const staged = join(project, 'staged');
  // Out of the way of whatever a developer has built.
  compileInto(join(staged, 'dist'));
  for (const name of ['package.json', 'schema', 'CHANGELOG.md', 'README.md', 'LICENSE']) cpSync(join(root, name), join(staged, name), { recursive: true });
  run('npm', 'pack', './staged', '--ignore-scripts', '--silent');
  const { version, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly bin: { readonly leasequeue: string };
  };
  run('tar', 'xzf', `leasequeue-${version}.tgz`);
  const path = join(project, 'node_modules/leasequeue');
  mkdirSync(dirname(path), { recursive: true });
  renameSync(join(project, 'package'), path);
  rmSync(staged, { recursive: true });
  writeFiles(project, { 'package.json': JSON.stringify({ type: 'module' }) });
  return {
    project,
    path,
    command: join(path, bin.leasequeue),
    run,
    tsc: (...args) => run(program('tsc'), ...args),
    [Symbol.dispose]: () => rmSync(project, { recursive: true, force: true }),
  };
}

const IMPORT = /(?:^|[\s;}])(?:import|export)\s(?:[^'"()]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

/** Everything that a file of the package imports, directly or through its own files: paths of these, and names of others. */
export function importGraph(folder: string, entry: string): { readonly files: readonly string[]; readonly foreign: readonly string[] } {
  const [files, foreign] = [new Set<string>(), new Set<string>()];
  const visit = (path: string): void => {
    if (files.has(path)) return;
    files.add(path);
    const text = readFileSync(join(folder, path), 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');
    for (const [, named, loaded] of text.matchAll(IMPORT)) {
      const specifier = named ?? loaded ?? '';
      if (specifier.startsWith('.')) visit(posix.join(posix.dirname(path), specifier));
      else foreign.add(specifier);
    }
  };
  visit(posix.normalize(entry));
  return { files: [...files], foreign: [...foreign] };
}
