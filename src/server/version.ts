/** The version of this package, as its manifest says. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

export const { version: VERSION } = z.object({ version: z.string() }).parse(manifest);
