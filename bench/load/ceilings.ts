/** What the disk and SQLite could do at most: the same bytes without a queue around them. */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Figures } from '../row.ts';
import { latencies } from '../statistics.ts';

export interface AppendLoad {
  readonly file: string;
  readonly seconds: number;
}

/** 4 KiB at the end of a file, durable each time. */
export async function appendLoad({ file, seconds }: AppendLoad): Promise<Figures> {
  const page = Buffer.alloc(4_096, 'x');
  const descriptor = openSync(file, 'a');
  const samples: number[] = [];
  const startedMs = performance.now();
  for (let nowMs = startedMs; nowMs < startedMs + seconds * 1_000; ) {
    writeSync(descriptor, page);
    fdatasyncSync(descriptor);
    const thenMs = performance.now();
    samples.push(thenMs - nowMs);
    nowMs = thenMs;
  }
  closeSync(descriptor);
  return { perSecond: (samples.length * 1_000) / (performance.now() - startedMs), ...latencies(samples) };
}

export interface SqliteLoad {
  readonly file: string;
  readonly seconds: number;
  readonly perTransaction: number;
  /** `cycle`: submit, claim and complete; else submit alone. */
  readonly work: 'submit' | 'cycle';
}

const TABLES = `
  pragma journal_mode = WAL;
  pragma synchronous = FULL;
  pragma wal_autocheckpoint = 8000;
  create table jobs (seq integer primary key, queue text, state text, run_at_ms integer, token text, payload text, last_event_seq integer) strict;
  create index jobs_due on jobs (queue, run_at_ms, seq) where state = 'queued';
  create table events (seq integer primary key, previous_seq integer, job integer, kind text, at_ms integer) strict;`;

/** Bare better-sqlite3 on the least tables that a queue with events could have. */
export async function sqliteLoad({ file, seconds, perTransaction, work }: SqliteLoad): Promise<Figures> {
  const database = new Database(file);
  database.exec(TABLES);
  const one = work === 'submit' ? submitter(database) : cycler(database);
  const group = database.transaction(() => {
    for (let count = 0; count < perTransaction; count++) one();
  }).immediate;
  const startedMs = performance.now();
  let operations = 0;
  while (performance.now() < startedMs + seconds * 1_000) {
    group();
    operations += perTransaction;
  }
  const perSecond = (operations * 1_000) / (performance.now() - startedMs);
  database.close();
  return { perSecond };
}

function submitter(database: Database.Database): () => number {
  const insertJob = database.prepare('insert into jobs values (?, ?, ?, ?, null, ?, ?)');
  const insertEvent = database.prepare('insert into events values (?, ?, ?, ?, ?)');
  let [job, event] = [0, 0];
  return () => {
    [job, event] = [job + 1, event + 3];
    const nowMs = Date.now();
    insertEvent.run(event, null, job, 'SUBMITTED', nowMs);
    insertJob.run(job, 'bench', 'queued', nowMs, '{"n":1}', event);
    return job;
  };
}

function cycler(database: Database.Database): () => void {
  const submit = submitter(database);
  const due = database.prepare("select seq, last_event_seq from jobs where queue = ? and state = 'queued' order by run_at_ms, seq limit 1");
  const move = database.prepare('update jobs set state = ?, token = ?, last_event_seq = ? where seq = ?');
  const insertEvent = database.prepare('insert into events values (?, ?, ?, ?, ?)');
  return () => {
    submit();
    const { seq, last_event_seq: last } = due.get('bench') as { readonly seq: number; readonly last_event_seq: number };
    insertEvent.run(last + 1, last, seq, 'CLAIMED', Date.now());
    move.run('running', 'token', last + 1, seq);
    insertEvent.run(last + 2, last + 1, seq, 'COMPLETED', Date.now());
    move.run('completed', null, last + 2, seq);
  };
}
