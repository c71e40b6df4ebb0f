import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/server/problem.ts';
import { lookAt, noteAnswer } from '../support/secret-watch.ts';
import { startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';
import { runSteps, stepsOf, type Step } from './page.ts';
import { parsed, Stand } from './shown.ts';
import { needTools } from './tools.ts';

const page = readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf8');
const steps = stepsOf(page);

/** The lines of an event stream without its pings, the data as JSON. */
function messagesOf(text: string): readonly unknown[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith(':'));
  return lines.map((line) => (line.startsWith('data: ') ? parsed(line.slice('data: '.length)) : line));
}

function valueOf(language: string, text: string): unknown {
  return language === 'json' ? parsed(text) : messagesOf(text);
}

function differences(stand: Stand, { shown, line }: Step, printed: string): readonly string[] {
  if (shown === null) return printed.trim() === '' ? [] : [`line ${line}: answered ${printed}, and the page shows nothing`];
  try {
    return stand.differences(valueOf(shown.language, shown.text), valueOf(shown.language, printed)).map((each) => `line ${line}: ${each}`);
  } catch (error) {
    return [`line ${line}: ${String(error)} in ${printed}`];
  }
}

describe('the worker protocol by curl', () => {
  test('runs from top to bottom as it is written, and answers what is shown', async () => {
    needTools('bash', 'curl');
    using folder = temporaryFolder();
    const server = await startServer({ LEASEQUEUE_DATABASE_PATH: folder.file('x.db') });
    const { printed, complaints } = await runSteps(steps, server.url);
    await server.end('SIGTERM');

    expect(complaints).toBe('');
    expect(printed).toHaveLength(steps.length);
    const stand = new Stand();
    expect(steps.flatMap((step, number) => differences(stand, step, printed[number] ?? ''))).toEqual([]);
    // The shell's answers are not seen by the watch, so that it learns the tokens here.
    noteAnswer(printed.join('\n'));
    for (const text of printed) lookAt('wire', text);
    for (const line of server.lines) lookAt('log', line);
  }, 60_000);

  test('shows an answer under most of its commands, and calls each verb of a worker', () => {
    expect(steps.filter(({ shown }) => shown !== null).length).toBeGreaterThan(15);
    const commands = steps.map((step) => step.commands).join('');
    for (const verb of ['submitJob', 'claimJobs', 'heartbeat', 'completeJob', 'failJob', 'releaseJob', 'jobEvents']) expect(commands).toContain(`${verb}(`);
  });

  test('sees an answer that is not the one shown', () => {
    const stand = new Stand();
    const shown = { id: '01…a', at: '2026-03-01T12:00:00.000Z', n: parsed('[9007199254740993]'), text: 'It is. …' };
    const got = { id: '01f', at: '2027-03-01T12:00:00.000Z', n: parsed('[9007199254740993]'), text: 'It is. Wait.' };
    expect(stand.differences(shown, got)).toEqual([]);
    expect(stand.differences(shown, { ...got, id: '01e' })).toEqual(['/id: 01e is not 01…a']);
    expect(stand.differences({ id: '01…b' }, { id: '01f' })).toEqual(['/id: 01f is not 01…b']);
    expect(stand.differences(shown, { ...got, n: parsed('[9007199254740992]') })).toHaveLength(1);
    expect(stand.differences(shown, { ...got, more: 1 })).toEqual(['/more: 1 is not undefined']);
  });

  test('says of every refusal whether to repeat it', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const missing = Object.values(PROBLEMS).filter(({ code, status }) => !rows.some((row) => row.includes(`\`${code}\``) && row.includes(String(status))));
    // A status of its own under a code that the table has, which no worker meets.
    expect(missing.map(({ code, status }) => `${code} ${status}`)).toEqual(['BAD_REQUEST 417']);
  });
});
