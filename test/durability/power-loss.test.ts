import { writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/store.ts';
import { type CommittedStates, readCommittedStates } from './committed-states.ts';
import { CrashSweep, type SweepReport } from './crash-sweep.ts';
import { Disk } from './disk.ts';
import { announce, IS_PROOF } from './proof.ts';
import { type Manner, type RecordedRun, recordRun } from './recorded-run.ts';
import { RecoveryBench } from './recovery.ts';
import { compileStorageLibrary, type StorageLibrary, whyNotHere } from './storage-library.ts';
import type { StorageCall } from './storage-log.ts';

const SEED = 1;
const STATES = IS_PROOF ? 32_000 : 2_500;
/** A planted fault shows at once: what is kept and what is dropped at each point is enough. */
const STATES_OF_CONTROL = IS_PROOF ? 5_000 : 0;
/** Of the write-ahead log: in commits early and late, before the thread beside the writer has begun and after. */
const FAILED_SYNCS = [12, 28, 9, 20];
const FAILED_SYNCS_OF_SAMPLE = FAILED_SYNCS.slice(0, 2);
const NO_FAILURES = { 'acknowledged work is lost': 0, 'a state that never was committed': 0, damaged: 0 };

const reason = whyNotHere();

describe.skipIf(reason !== null)(`a power cut at any moment${reason === null ? '' : ` (${reason})`}`, () => {
  let library: StorageLibrary;
  let run: RecordedRun;
  beforeAll(async () => {
    library = compileStorageLibrary();
    run = await recordRun(library, { manner: 'full' });
  });
  afterAll(() => library[Symbol.dispose]());

  async function sweepOf(recorded: RecordedRun, states: number): Promise<SweepReport & { readonly committed: CommittedStates }> {
    using bench = new RecoveryBench();
    const committed = await readCommittedStates(recorded, bench);
    return { ...new CrashSweep(committed, bench, SEED).run(recorded, states), committed };
  }

  function lostIn({ failures }: SweepReport): number {
    return failures['acknowledged work is lost'];
  }

  test('is replayed from a log that holds all that reached the files', () => {
    const disk = new Disk('visible');
    for (const call of run.calls) disk.apply(call);
    expect(disk.after(() => true, 'calls').files).toEqual(run.files);
  });

  test('is replayed over every kind of write: commits, checkpoints, a log begun anew over the old one, a restart', () => {
    const { calls } = run;
    const counted = (kind: StorageCall['kind'], file: StorageCall['file']): number => calls.filter((call) => call.kind === kind && call.file === file).length;
    expect(counted('sync', 'wal')).toBeGreaterThan(20);
    expect(counted('sync', 'main')).toBeGreaterThan(2);
    expect(counted('mark', 'marks')).toBe(run.outcomes.length);
    expect(counted('create', 'wal')).toBeGreaterThan(1);
    const begun = calls.filter(({ kind, file, offset }) => kind === 'write' && file === 'wal' && offset === 0).length;
    expect(begun).toBeGreaterThan(counted('create', 'wal') + counted('truncate', 'wal') - counted('unlink', 'wal'));
  });

  test('leaves a committed state that holds everything acknowledged before it', async () => {
    const began = performance.now();
    const { committed, ...report } = await sweepOf(run, STATES);
    announce(`power cuts: ${JSON.stringify({ ...report, acknowledgements: run.outcomes.length, commits: committed.count })}`, began);
    expect(committed.complaints).toEqual([]);
    expect(report.examples).toEqual([]);
    expect(report.failures).toEqual(NO_FAILURES);
    expect(report.states).toBeGreaterThan(STATES * 0.95);
    expect(report.lacking).toBeGreaterThan(STATES * 0.4);
  }, 600_000);

  test.each([
    ['once', false],
    ['until the process has ended', true],
  ])(
    'leaves all that was acknowledged before and after syncs that fail %s, and the restart that follows',
    async (howLong, lasts) => {
      using folder = temporaryFolder();
      const whileFile = folder.file('broken');
      writeFileSync(whileFile, '');
      for (const first of IS_PROOF ? FAILED_SYNCS : FAILED_SYNCS_OF_SAMPLE) {
        const began = performance.now();
        const fault = { call: 'sync', file: 'wal', first, errno: constants.errno.EIO, ...(lasts && { whileFile }) } as const;
        const { committed, ...report } = await sweepOf(await recordRun(library, { manner: 'full', fault }, { manner: 'full' }), STATES_OF_CONTROL);
        announce(`power cuts around sync ${first} of the log failing ${howLong}: ${JSON.stringify(report.failures)} in ${report.states} states`, began);
        expect(committed.complaints).toEqual([]);
        expect(report.failures).toEqual(NO_FAILURES);
      }
    },
    300_000,
  );

  test.each<[string, Manner]>([
    ['commits that do not wait for the disk', 'normal'],
    ['an acknowledgement before the commit', 'early'],
  ])(
    'is seen to lose work where the fault is planted: %s',
    async (what, manner) => {
      const began = performance.now();
      const report = await sweepOf(await recordRun(library, { manner }), STATES_OF_CONTROL);
      announce(`planted, ${what}: ${JSON.stringify(report.failures)} in ${report.states} states`, began);
      expect(lostIn(report)).toBeGreaterThan(0);
    },
    120_000,
  );

  test('is seen to lose work where the disk lies about the syncs of a checkpoint', async () => {
    const calls = run.calls.filter(({ kind, file }) => kind !== 'sync' || file !== 'main');
    const report = await sweepOf({ ...run, calls }, STATES_OF_CONTROL);
    expect(lostIn(report) + report.failures.damaged).toBeGreaterThan(0);
  }, 120_000);
});
