/** `leasequeue db` as a person calls it, on a database of its own, alone and beside a server. */
import { chmodSync, closeSync, copyFileSync, existsSync, openSync, readdirSync, statSync, writeFileSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { type CommandResult, documentOf, leasequeue } from '../support/command.ts';
import { killedAt } from '../support/killed-at.ts';
import { takeBackTo } from '../support/older-database.ts';
import { ask, runServer, startServer, type ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';

const SUBMIT = 'mutation { submitJob(input: {task: "t", tags: [{key: "a", value: "b"}]}) { ... on SubmitJobSuccess { job { id } } } }';

const PAGE_BYTES = 4_096;

interface Place extends Disposable {
  readonly path: string;
  file(name: string): string;
  run(...words: readonly string[]): Promise<CommandResult>;
  serve(): Promise<ServerProcess>;
}

function place(): Place {
  const folder = temporaryFolder();
  const env = { LEASEQUEUE_DATABASE_PATH: folder.file('x.db') };
  return {
    path: folder.file('x.db'),
    file: folder.file,
    run: (...words) => leasequeue(words, { env }),
    serve: () => startServer(env),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

async function submit({ url }: ServerProcess, count = 1): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let done = 0; done < count; done++) ids.push(((await ask(url, SUBMIT)).data?.['submitJob']?.['job'] as { id: string }).id);
  return ids;
}

async function queuedIn(at: Place): Promise<unknown> {
  const server = await at.serve();
  const { data } = await ask(server.url, '{ stats { counts { queued } } }');
  await server.end('SIGTERM');
  return (data?.['stats']?.['counts'] as Record<string, number>)['queued'];
}

/** A database with this many jobs, whose server has stopped; the log is left where it was killed. */
async function filled(at: Place, jobs: number, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const server = await at.serve();
  await submit(server, jobs);
  await server.end(signal);
}

function change(path: string, statement: string): void {
  const database = new Database(path);
  database.exec(statement);
  database.close();
}

describe('db check', () => {
  test('says of a database that is worked with what was looked at, and that it is sound', async () => {
    using at = place();
    const server = await at.serve();
    await submit(server, 3);
    const [plain, json] = [await at.run('db', 'check'), await at.run('db', 'check', '--json')];
    expect(plain.code).toBe(0);
    expect(plain.stdout.split('\n').filter((line) => line !== '' && !line.startsWith('ok '))).toEqual([]);
    expect(plain.stderr).toMatch(/is sound: 1 tenant, 3 jobs, 3 events, 0 keys/);
    const document = documentOf(json) as { checks: readonly { name: string; sound: boolean }[] };
    expect(document).toMatchObject({ database: at.path, sound: true, contents: { jobs: 3 } });
    expect(document.checks.map(({ name }) => name)).toEqual([
      'pages',
      'schema',
      'leases',
      'counters',
      'workers',
      'signs',
      'usage',
      'owners',
      'tags',
      'ledger',
      'log',
      'series',
      'audit',
      'groups',
      'replay',
    ]);
    expect((await server.end('SIGTERM')).code).toBe(0);
  });

  test('works where no server runs, also on what a killed one left', async () => {
    using at = place();
    await filled(at, 2, 'SIGKILL');
    expect(await at.run('db', 'check')).toMatchObject({ code: 0, stderr: expect.stringMatching(/2 jobs, 2 events/) as unknown });
    expect(await queuedIn(at)).toBe(2);
  });

  test('ends with 1 and names what disagrees', async () => {
    using at = place();
    await filled(at, 2);
    change(at.path, 'update queue_counters set ready = 9; update jobs set priority = 7 where seq = 1');
    const { code, stdout, stderr } = await at.run('db', 'check');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^bad  counters .*\n +queue default of the tenant default counts 9 ready, of which there are 2;$/m);
    expect(stdout).toMatch(/priority is 7, and should be 0/);
    expect(stderr).toMatch(/not sound\. Nothing was changed\. .*report/);
    expect(documentOf(await at.run('db', 'check', '--json'))).toMatchObject({ sound: false });
  });

  test('tells a damaged page, a file that is something else, and one that is not there', async () => {
    using at = place();
    await filled(at, 50);
    const file = openSync(at.path, 'r+');
    writeSync(file, Buffer.alloc(PAGE_BYTES, 0x2a), 0, PAGE_BYTES, statSync(at.path).size - PAGE_BYTES);
    closeSync(file);
    const damaged = await at.run('db', 'check');
    expect(damaged).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^bad  pages/) as unknown,
      stderr: expect.stringMatching(/restore a backup/) as unknown,
    });
    writeFileSync(at.file('text'), 'no database at all, but a text of some length\n'.repeat(40));
    expect(await at.run('db', 'check', at.file('text'))).toMatchObject({ code: 1, stdout: expect.stringMatching(/file is not a database/) as unknown });
    expect((await at.run('db', 'check', at.file('missing'))).code).toBe(3);
  });
});

describe('db backup', () => {
  test('holds everything that was acknowledged before it began, while submissions go on (B64)', async () => {
    using at = place();
    const server = await at.serve();
    const acknowledged = await submit(server, 100);
    const during = { isOver: false };
    const load = async (): Promise<void> => {
      while (!during.isOver) await submit(server);
    };
    const loads = [load(), load()];
    const made = await at.run('db', 'backup', at.file('copy.db'));
    during.isOver = true;
    await Promise.all(loads);
    await server.end('SIGTERM');
    expect([made.code, made.stdout]).toEqual([0, `${at.file('copy.db')}\n`]);
    expect((statSync(at.file('copy.db')).mode & 0o777).toString(8)).toBe('600');
    expect(await leasequeue(['db', 'check', at.file('copy.db')], {})).toMatchObject({ code: 0 });

    const second = await startServer({ LEASEQUEUE_DATABASE_PATH: at.file('copy.db') });
    for (const id of acknowledged) {
      const { data } = await ask(second.url, 'query ($id: ID!) { job(by: {id: $id}) { state } }', { id });
      expect(data?.['job']?.['state'], id).toBe('QUEUED');
    }
    await second.end('SIGTERM');
    const copy = new Database(at.file('copy.db'), { readonly: true });
    const counts = copy.prepare('select (select count(*) from jobs) as jobs, (select count(*) from events) as events').get() as {
      jobs: number;
      events: number;
    };
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    copy.close();
    expect(counts.jobs).toBeGreaterThanOrEqual(100);
    expect(counts.events).toBe(counts.jobs);
  }, 60_000);

  test('touches no file that is there, unless it is told to, and never the database', async () => {
    using at = place();
    await filled(at, 1);
    writeFileSync(at.file('there'), 'mine');
    const refused = await at.run('db', 'backup', at.file('there'));
    expect(refused).toMatchObject({ code: 5, stdout: '', stderr: expect.stringMatching(/is there already.*--force.*No backup was made/) as unknown });
    expect(statSync(at.file('there')).size).toBe(4);
    expect(documentOf(await at.run('db', 'backup', at.file('there'), '--force', '--json'))).toMatchObject({
      backup: at.file('there'),
      contents: { jobs: 1 },
      sound: true,
    });
    expect(await at.run('db', 'backup', at.path, '--force')).toMatchObject({ code: 5, stderr: expect.stringMatching(/is the database itself/) as unknown });
    expect((await at.run('db', 'backup', at.file('missing/x'))).code).toBe(1);
    expect(readdirSync(at.file('.')).filter((name) => name.includes('partial'))).toEqual([]);
  });

  test('leaves nothing behind where the database is damaged', async () => {
    using at = place();
    writeFileSync(at.path, 'no database at all, but a text of some length\n'.repeat(40));
    const { code, stderr } = await at.run('db', 'backup', at.file('copy.db'));
    expect(code).toBe(1);
    expect(stderr).toMatch(/could not be copied .*not a database.*nothing else was changed/);
    expect(readdirSync(at.file('.'))).toEqual(['x.db']);
  });

  test('is made of a database of an older version too, before that is migrated', async () => {
    using at = place();
    await filled(at, 1);
    takeBackTo('001-jobs', at.path);
    expect(await at.run('db', 'backup', at.file('old.db'))).toMatchObject({ code: 0, stderr: expect.stringMatching(/schema 001-jobs/) as unknown });
    expect(await at.run('db', 'check', at.file('old.db'))).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/older version, without 002-access/) as unknown,
    });
  });
});

describe('db migrate', () => {
  test('brings an older database to this version, and says when there is nothing to do', async () => {
    using at = place();
    await filled(at, 2);
    takeBackTo('001-jobs', at.path);
    expect(await at.run('db', 'migrate')).toMatchObject({ code: 0, stderr: expect.stringMatching(/from 001-jobs to 0\d\d-/) as unknown });
    expect((await at.run('db', 'check')).code).toBe(0);
    expect(documentOf(await at.run('db', 'migrate', '--json'))).toMatchObject({ applied: [] });
    expect((await at.run('db', 'migrate')).stderr).toMatch(/Nothing to do/);
  });

  test('is refused beside a server, and for a database of a newer version', async () => {
    using at = place();
    const server = await at.serve();
    expect(await at.run('db', 'migrate')).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/server runs on the database.*Nothing was changed/) as unknown,
    });
    await server.end('SIGTERM');
    change(at.path, `insert into kysely_migration values ('999-later', '')`);
    expect(await at.run('db', 'migrate')).toMatchObject({ code: 1, stderr: expect.stringMatching(/newer version/) as unknown });
  });
});

describe('db restore', () => {
  test('says what it would do, does it with --yes, and keeps the database from before with its log', async () => {
    using at = place();
    await filled(at, 1);
    await at.run('db', 'backup', at.file('copy.db'));
    await filled(at, 2, 'SIGKILL');
    const preview = await at.run('db', 'restore', at.file('copy.db'));
    expect([preview.code, jobsIn(at.path)]).toEqual([2, 3]);
    expect(preview.stdout).toMatch(/Would move .*x\.db-wal.* to .*before-restore-.*\nWould put .*copy\.db in its place: 1 tenant, 1 job, 1 event/);
    expect(preview.stderr).toMatch(/Nothing was changed.*--yes/);

    const done = documentOf(await at.run('db', 'restore', at.file('copy.db'), '--yes', '--json')) as { movedTo: string };
    expect(done).toMatchObject({ restored: true, database: at.path, contents: { jobs: 1 } });
    expect(done.movedTo).toMatch(/x\.db\.before-restore-\d{8}T\d{9}Z$/);
    expect([jobsIn(at.path), jobsIn(done.movedTo), await queuedIn(at)]).toEqual([1, 3, 1]);
    expect(existsSync(at.file('copy.db'))).toBe(true);
  });

  test('is refused beside a server, and with what is no sound backup', async () => {
    using at = place();
    const server = await at.serve();
    await at.run('db', 'backup', at.file('copy.db'));
    expect(await at.run('db', 'restore', at.file('copy.db'), '--yes')).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/server runs on the database.*Stop it/) as unknown,
    });
    await submit(server);
    await server.end('SIGTERM');
    writeFileSync(at.file('text'), 'no database at all, but a text of some length\n'.repeat(40));
    new Database(at.file('empty.db')).close();
    copyFileSync(at.file('copy.db'), at.file('newer.db'));
    change(at.file('newer.db'), `insert into kysely_migration values ('999-later', '')`);
    for (const [name, message] of [
      ['text', /not a database/],
      ['empty.db', /no database of LeaseQueue/],
      ['newer.db', /newer version/],
    ] as const) {
      for (const words of [[], ['--yes']]) {
        expect(await at.run('db', 'restore', at.file(name), ...words)).toMatchObject({ code: 1, stderr: expect.stringMatching(message) as unknown });
      }
    }
    expect(await at.run('db', 'restore', at.path, '--yes')).toMatchObject({ code: 5 });
    expect((await at.run('db', 'restore', at.file('missing'), '--yes')).code).toBe(3);
    expect(await queuedIn(at)).toBe(1);
    expect(readdirSync(at.file('.')).filter((name) => /restor/.test(name))).toEqual([]);
  });

  test('puts a database where none was, for its owner alone, and keeps the mode of one that was', async () => {
    using at = place();
    await filled(at, 1);
    await at.run('db', 'backup', at.file('copy.db'));
    chmodSync(at.path, 0o640);
    await at.run('db', 'restore', at.file('copy.db'), '--yes');
    expect(statSync(at.path).mode & 0o777).toBe(0o640);
    const env = { LEASEQUEUE_DATABASE_PATH: at.file('new.db') };
    expect(await leasequeue(['db', 'restore', at.file('copy.db'), '--yes'], { env })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/no database before/) as unknown,
    });
    expect(statSync(at.file('new.db')).mode & 0o777).toBe(0o600);
  });

  test('killed at any step leaves both databases to be found, no server that takes half of one for whole, and is finished by repeating it', async () => {
    using before = place();
    await filled(before, 1);
    await before.run('db', 'backup', before.file('copy.db'));
    await filled(before, 2, 'SIGKILL');
    let step = 0;
    for (let isOver = false; !isOver; ) {
      step += 1;
      using at = place();
      for (const name of ['x.db', 'x.db-wal', 'x.db-shm', 'copy.db']) copyFileSync(before.file(name), at.file(name));
      const words = ['db', 'restore', at.file('copy.db'), '--yes'];
      const killed = await leasequeue(words, { env: { LEASEQUEUE_DATABASE_PATH: at.path, ...killedAt(step) } });
      isOver = killed.code === 0;
      expect([0, null], killed.stderr).toContain(killed.code);
      if (existsSync(`${at.path}-restore`)) {
        expect(await runServer({ LEASEQUEUE_DATABASE_PATH: at.path })).toMatchObject({
          code: 1,
          output: expect.stringMatching(/restore of this database was interrupted/) as unknown,
        });
        expect((await at.run('doctor')).stdout).toMatch(/^bad +restore/m);
      } else expect([1, 3]).toContain(jobsIn(at.path));
      expect((await at.run(...words)).code, `killed at ${step}`).toBe(0);
      const kept = readdirSync(at.file('.')).filter((name) => /before-restore-\w+Z$/.test(name));
      const jobs = kept.map((name) => jobsIn(at.file(name)));
      expect([jobs.includes(3), jobsIn(at.path), await queuedIn(at)], `killed at ${step}`).toEqual([true, 1, 1]);
    }
    expect(step).toBeGreaterThan(6);
  }, 120_000);
});

function jobsIn(path: string): number {
  const database = new Database(path, { readonly: true });
  const { jobs } = database.prepare('select count(*) as jobs from jobs').get() as { jobs: number };
  database.close();
  return jobs;
}

test.each(['check', 'backup', 'restore', 'migrate'])('db %s shows two examples in its help, and refuses what it does not know', async (verb) => {
  const { code, stdout } = await leasequeue(['db', verb, '--help']);
  expect([code, stdout.match(/^ {2}\$ .*leasequeue db /gm)?.length]).toEqual([0, 2]);
  expect((await leasequeue(['db', verb, '--none'])).code).toBe(2);
});
