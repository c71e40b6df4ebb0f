import { rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/store.ts';
import type { Client } from './client.ts';
import { type Ordeal, prepareDatabase, suffer } from './faulty-server.ts';
import { announce, IS_PROOF } from './proof.ts';
import { compileStorageLibrary, type StorageLibrary, whyNotHere } from './storage-library.ts';

const reason = whyNotHere();

/** A short day of a queue, as long as it is served: lonely commits, then several in flight. */
async function work(client: Client): Promise<void> {
  const [first, second] = [await client.submit(), await client.submit()];
  const [a, b] = client.isServed ? await client.claim(2) : [];
  if (a !== undefined && client.isServed) await client.complete(a);
  if (b !== undefined && client.isServed) await client.fail(b);
  const third = client.isServed ? await client.submit() : null;
  if (third !== null) await Promise.all([client.cancel(third), client.submit(), client.submit(), client.submit()]);
  if (client.isServed && first !== null && second !== null) await client.claim(3);
}

describe.skipIf(reason !== null)(`storage that fails${reason === null ? '' : ` (${reason})`}`, () => {
  const folder = temporaryFolder();
  const prepared = folder.file('prepared.db');
  let library: StorageLibrary;
  beforeAll(async () => {
    library = compileStorageLibrary();
    await prepareDatabase(prepared);
  });
  afterAll(() => {
    library[Symbol.dispose]();
    folder[Symbol.dispose]();
  });

  /** Every `step`th call is made to fail, each in a server of its own, until none is hit any more. */
  async function sweep(what: string, step: number, suffered: (first: number) => Promise<Ordeal>): Promise<readonly Ordeal[]> {
    const began = performance.now();
    const ordeals: Ordeal[] = [];
    for (let first = 1; ; first += step) {
      const ordeal = await suffered(first);
      if (ordeal.hits === 0) break;
      ordeals.push(ordeal);
    }
    const moments = Object.entries(Object.groupBy(ordeals, ({ moment }) => moment ?? 'never')).map(([moment, some]) => `${some.length} at ${moment}`);
    announce(`${what}: every ${step}. call, ${ordeals.length} servers hit (${moments.join(', ')})`, began);
    expect(ordeals.filter(({ moment }) => moment === 'work').length).toBeGreaterThan(0);
    return ordeals;
  }

  /** A failure that leaves the outcome open: whoever waited is told so, and the process ends, with 74 unless it was ending already. */
  function expectFailStop({ moment, exitCode, refusals, acknowledged, wrong }: Ordeal): void {
    expect({ wrong, acknowledged }).toMatchObject({ wrong: [] });
    if (moment === 'work') {
      expect(exitCode).toBe(74);
      expect(refusals).toContainEqual({ code: 'SERVICE_UNAVAILABLE', outcomeUnknown: true });
    } else expect(exitCode).not.toBe(0);
  }

  test.each([
    ['sync', IS_PROOF ? 1 : 5],
    ['write', IS_PROOF ? 3 : 70],
  ] as const)(
    'stops the server with 74 when a %s fails, and nothing that was acknowledged is lost',
    async (call, step) => {
      const fault = { call, file: 'any', errno: constants.errno.EIO } as const;
      const ordeals = await sweep(`failed ${call}s`, step, (first) => suffer(library, prepared, { ...fault, first }, work));
      for (const ordeal of ordeals) expectFailStop(ordeal);
    },
    900_000,
  );

  test('refuses while the disk is full, says that nothing was changed, and serves again when there is room', async () => {
    const whileFile = folder.file('full');
    const ordeals = await sweep('full disks', IS_PROOF ? 9 : 70, async (first) => {
      writeFileSync(whileFile, '');
      return suffer(library, prepared, { call: 'write', file: 'any', errno: constants.errno.ENOSPC, first, whileFile }, async (client) => {
        await work(client);
        rmSync(whileFile);
        expect(await client.submit()).toMatchObject({ state: 'QUEUED' });
      });
    });
    for (const { exitCode, refusals, wrong } of ordeals) {
      expect({ exitCode, wrong }).toEqual({ exitCode: 0, wrong: [] });
      for (const refusal of refusals) expect(refusal).toEqual({ code: 'SERVICE_UNAVAILABLE', outcomeUnknown: false });
    }
  }, 900_000);
});
