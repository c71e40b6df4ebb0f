/**
 * The operations console, as `npm run build:console` has made it: loaded once, with the forms that were compressed then, and the
 * base path written into its page.
 */
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { ContentEncoding } from './content-encoding.ts';
import { CONSOLE_POLICY } from './security-headers.ts';
import { type StaticFile, staticFile } from './static-file.ts';

/** The file at a path; null where the console has none. */
export type ConsoleFiles = (path: string) => StaticFile | null;

/** The same from the sources, from what they are compiled to, and from the installed package. */
const BUILT = new URL('../../dist/console/', import.meta.url);

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.woff2': 'font/woff2',
};
const ENDINGS: Readonly<Record<ContentEncoding, string>> = { br: '.br', gzip: '.gz' };
const BASE_TAG = /<base href="\/" ?\/?>/;
/** The name has a digest of the content in it: another content has another name. */
const FOR_EVER = 'public, max-age=31536000, immutable';

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>LeaseQueue</title>
<h1>LeaseQueue is running</h1>
<p>Its console is not built yet. In the project's folder, <code>npm run build:console</code> builds it; then start the server again.</p>
</html>
`;

export async function loadConsole(basePath: string, folder: URL = BUILT): Promise<ConsoleFiles> {
  const html = await readIfThere(new URL('index.html', folder));
  const page = html === null ? notBuilt() : pageFile(html.toString('utf8'), basePath);
  const assets = html === null ? new Map<string, StaticFile>() : await loadAssets(new URL('assets/', folder));
  return (path) => (isScreen(path) ? page : (assets.get(path) ?? null));
}

/** An address that the console shows something at: it knows itself what, or that there is nothing. */
function isScreen(path: string): boolean {
  return path === '/' || path === '/console' || path.startsWith('/console/');
}

function notBuilt(): StaticFile {
  return staticFile({ status: 503, headers: { 'content-type': 'text/html; charset=utf-8' }, content: Buffer.from(NOT_BUILT), compressed: {} });
}

function pageFile(html: string, basePath: string): StaticFile {
  if (!BASE_TAG.test(html)) throw new Error('the page of the console has no <base href="/">, which the base path is written into');
  const content = Buffer.from(html.replace(BASE_TAG, `<base href="${basePath}/" />`));
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache', 'content-security-policy': CONSOLE_POLICY };
  return staticFile({ status: 200, headers, content, compressed: { br: brotliCompressSync(content), gzip: gzipSync(content) } });
}

async function loadAssets(folder: URL): Promise<ReadonlyMap<string, StaticFile>> {
  const names = (await readdir(folder)).filter((name) => !Object.values(ENDINGS).includes(extname(name)));
  return new Map(await Promise.all(names.map(async (name): Promise<[string, StaticFile]> => [`/assets/${name}`, await loadAsset(name, folder)])));
}

async function loadAsset(name: string, folder: URL): Promise<StaticFile> {
  const [content, br, gzip] = await Promise.all([
    readFile(new URL(name, folder)),
    readIfThere(new URL(name + ENDINGS.br, folder)),
    readIfThere(new URL(name + ENDINGS.gzip, folder)),
  ]);
  const headers = { 'content-type': MEDIA_TYPES[extname(name)] ?? 'application/octet-stream', 'cache-control': FOR_EVER };
  return staticFile({ status: 200, headers, content, compressed: { ...(br !== null && { br }), ...(gzip !== null && { gzip }) } });
}

async function readIfThere(file: URL): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
