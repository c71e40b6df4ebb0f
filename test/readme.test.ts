import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = new URL('../', import.meta.url);

test('every file that the documents link to is there', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'docs/README.md',
    'docs/architecture.md',
    'docs/guarantees.md',
    'docs/operations.md',
    'docs/cli.md',
    'docs/console.md',
    'docs/protocol.md',
    'docs/testing.md',
    'docs/sdk.md',
    'examples/invoices/README.md',
  ];
  const missing = pages.flatMap((page) => {
    const text = readFileSync(new URL(page, root), 'utf8');
    const links = [...text.matchAll(/\]\(([^)#]+)/g)].flatMap(([, link]) => (link === undefined || /^[a-z]+:/.test(link) ? [] : [link]));
    return links.filter((link) => !existsSync(fileURLToPath(new URL(link, new URL(page, root))))).map((link) => `${page}: ${link}`);
  });
  expect(missing).toEqual([]);
});
