/** The console's build: one page, hashed files beside it, every address relative so that it works under any base path. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

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

export default defineConfig({
  root: here('src/console'),
  base: './',
  publicDir: false,
  plugins: [compressed()],
  // Said so, as the tests build too, where it would be taken for development: every element would carry its place in the sources.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  build: {
    outDir: here('dist/console'),
    emptyOutDir: true,
    target: 'es2024',
    // An inlined file would be a data: address, which the content policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
