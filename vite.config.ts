/** The console's build: one page, hashed files beside it, every address relative so that it works under any base path. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { LIMITS } from './src/domain/limits.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const [compressBrotli, compressGzip] = [promisify(brotliCompress), promisify(gzip)];

/** Whatever is this small leaves in one packet either way. */
const COMPRESSED_BYTES_MIN = 512;

/** Beside each file its compressed forms: the server takes no time for it, and can have the slowest and smallest. */
function compressed(): Plugin {
  return {
    name: 'leasequeue:compressed',
    async writeBundle({ dir = '' }) {
      const assets = join(dir, 'assets');
      await Promise.all((await readdir(assets)).map((name) => compress(join(assets, name))));
    },
  };
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < COMPRESSED_BYTES_MIN) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length, [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const forms = { br: compressBrotli(content, { params }), gz: compressGzip(content, { level: constants.Z_BEST_COMPRESSION }) };
  await Promise.all(Object.entries(forms).map(async ([ending, form]) => writeFile(`${path}.${ending}`, await form)));
}

/** Each limit as its number, where it is used: the whole list of them would come along otherwise. */
function writtenLimits(): Plugin {
  const numbers = new Map<string, number>(Object.entries(LIMITS));
  const use = /\bLIMITS\.(\w+)/g;
  return {
    name: 'leasequeue:written-limits',
    enforce: 'pre',
    transform: (code) => (code.includes('LIMITS.') ? code.replaceAll(use, (whole, name: string) => String(numbers.get(name) ?? whole)) : null),
  };
}

/** The documents without what is there for people to read. */
function denseDocuments(): Plugin {
  const dense = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(/ ?([{}():!,=[\]]) ?/g, '$1');
  return {
    name: 'leasequeue:dense-documents',
    enforce: 'pre',
    transform: (code, id) => (id.includes('/generated/graphql') ? code.replaceAll(/(?<=TypedDocumentString\(`)[^`]+/g, dense) : null),
  };
}

/** Of the chart library what draws lines: its bars, steps and splines are a tenth of it. */
function linesOnly(): Plugin {
  const others = /\(paths\.(?:stepped|bars|spline)\s*= \w+\);/g;
  return {
    name: 'leasequeue:lines-only',
    transform(code, id) {
      if (!id.includes('uPlot.esm.js')) return null;
      if (code.match(others)?.length !== 3) throw new Error('uPlot names its ways to draw in another way than before: look what is to be left out of it');
      return code.replaceAll(others, '');
    },
  };
}

/** Few files, as small ones compress badly: what the first screen needs, the other screens, and the charts. */
const FILES = [
  {
    name: 'console',
    test: /node_modules\/(?!uplot)|console\/(?:api|frame|parts|route|main|app|charts\/(?!draw)|screens\/(?:dead|overview|queues))|src\/(?:client|domain|runtime)\//,
    priority: 3,
  },
  { name: 'charts', test: /uplot|charts\/draw/, priority: 2 },
  { name: 'screens', test: /console\/screens/, priority: 1 },
];

export default defineConfig({
  root: here('src/console'),
  base: './',
  publicDir: false,
  plugins: [writtenLimits(), denseDocuments(), linesOnly(), compressed()],
  // Said so, as the tests build too, where it would be taken for development: every element would carry its place in the sources.
  // By `h` rather than the automatic runtime, whose calls are longer.
  oxc: {
    jsxInject: "import { Fragment, h } from 'preact'",
    jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment', development: false },
  },
  build: {
    outDir: here('dist/console'),
    emptyOutDir: true,
    target: 'es2024',
    // An inlined file would be a data: address, which the content policy refuses.
    assetsInlineLimit: 0,
    modulePreload: false,
    cssCodeSplit: false,
    rolldownOptions: { output: { codeSplitting: { groups: FILES } } },
  },
});
