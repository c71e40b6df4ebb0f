/** What commands print: colour, width, JSON, text of unknown origin, progress and questions. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { confirm } from '../../src/cli/confirm.ts';
import { type ColorChoice, lookOf } from '../../src/cli/look.ts';
import { jsonDocument, jsonLine, table } from '../../src/cli/print.ts';
import { createProgress } from '../../src/cli/progress.ts';
import { visible } from '../../src/cli/visible-text.ts';
import { parseJson } from '../../src/domain/json.ts';
import { leasequeue } from '../support/command.ts';
import { ManualClock } from '../support/manual-clock.ts';

const terminal = { isTTY: true, columns: 40 };

describe('colour', () => {
  test.each<[string, object, ColorChoice, Record<string, string>, boolean]>([
    ['on a terminal', terminal, 'auto', {}, true],
    ['not into a pipe', {}, 'auto', {}, false],
    ['not on a terminal without any', terminal, 'auto', { TERM: 'dumb' }, false],
    ['not with NO_COLOR', terminal, 'auto', { NO_COLOR: '1' }, false],
    ['with an empty NO_COLOR', terminal, 'auto', { NO_COLOR: '' }, true],
    ['into a pipe with FORCE_COLOR', {}, 'auto', { FORCE_COLOR: '1' }, true],
    ['not with FORCE_COLOR=0', terminal, 'auto', { FORCE_COLOR: '0' }, false],
    ['not with both', terminal, 'auto', { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    ['with --color always, whatever a variable says', {}, 'always', { NO_COLOR: '1' }, true],
    ['not with --color never', terminal, 'never', { FORCE_COLOR: '1' }, false],
  ])('is there %s', (_when, screen, choice, env, has) => {
    expect(lookOf(screen, choice, env).hasColor).toBe(has);
  });

  test('of the real command follows the variables and the flag', async () => {
    const head = async (flag: string, env: Record<string, string>) =>
      (await leasequeue(['config', 'show', ...flag.split(' ').filter(Boolean)], { env })).stdout.split('\n')[0];
    const plain = await head('', {});
    expect(plain).toMatch(/^SETTING +VALUE$/);
    expect(await head('', { FORCE_COLOR: '1' })).toBe(`\x1b[1m${plain}\x1b[22m`);
    expect(await head('', { FORCE_COLOR: '1', NO_COLOR: '1' })).toMatch(/^SETTING/);
    expect(await head('--color always', { NO_COLOR: '1' })).toContain('\x1b[1mSETTING');
    expect(await head('--color never', { FORCE_COLOR: '1' })).toMatch(/^SETTING/);
  });
});

describe('a table', () => {
  const rows = [
    ['1', 'x'.repeat(60)],
    ['22', 'short'],
  ];
  test('is cut at the width of a terminal, and nowhere else', () => {
    const lines = table(['ID', 'TEXT'], rows, { hasColor: false, columns: 20 }).split('\n');
    expect(lines).toEqual(['ID  TEXT', `1   ${'x'.repeat(15)}…`, '22  short', '']);
    expect(table(['ID', 'TEXT'], rows, { hasColor: false, columns: null })).toContain('x'.repeat(60));
    expect([lookOf(terminal, 'never', {}).columns, lookOf({ columns: 40 }, 'never', {}).columns]).toEqual([40, null]);
  });

  test('keeps each row in one line and lets no cell speak to the terminal', () => {
    const text = table(['A'], [['\x1b[2J\x1b]0;title\x07red\nnext\u202e\u009b1m']], { hasColor: true, columns: null });
    expect(text.split('\n')[1]).toBe('\\x1b[2J\\x1b]0;title\\x07red\\nnext\\u202e\\x9b1m');
  });
});

describe('JSON', () => {
  test('keeps every digit of a number', () => {
    const text = '{"id":12345678901234567890,"big":1e400,"list":[9007199254740993,0.1]}';
    expect(jsonLine(parseJson(text))).toBe(`${text}\n`);
    expect(jsonDocument(parseJson(text)).replaceAll(/\s/g, '')).toBe(text);
  });

  test('is one line for each value, and says nothing to a terminal', () => {
    const value = { note: 'a\nb\x1b[31m\x7f\u009b1m\u2028\u202e' };
    const line = jsonLine(value);
    expect([line.split('\n').length, JSON.parse(line)]).toEqual([2, value]);
    expect(line).toMatch(/^[\x20-\x7e]+\n$/);
  });

  test('is what it was where nothing is dangerous', () => {
    expect(visible('Grüße, 你好 🎉')).toBe('Grüße, 你好 🎉');
    expect(jsonLine({ text: 'Grüße 🎉' })).toBe('{"text":"Grüße 🎉"}\n');
  });
});

describe('progress', () => {
  function watch(isTTY: boolean, isWanted = true) {
    const clock = new ManualClock();
    const written: string[] = [];
    const progress = createProgress({ clock, stream: { isTTY, columns: 20, write: (text: string) => written.push(text) }, isWanted });
    /** An update every 10 ms of this many. */
    const work = (ms: number): void => {
      for (let at = 0; at < ms; at += 10) {
        progress.update(`at ${at}`);
        clock.advance(10);
      }
    };
    return { written, progress, work };
  }

  test('on a terminal is one line, written at most ten times a second, which fits and goes away', () => {
    const { written, progress, work } = watch(true);
    work(1_000);
    expect([written.length, written[0], written[1]]).toEqual([10, '\r\x1b[2Kat 0', '\r\x1b[2Kat 100']);
    progress.update(`${'x'.repeat(30)}\n`);
    expect(written.at(-1)).toBe(`\r\x1b[2K${'x'.repeat(18)}…`);
    progress.clear();
    progress.clear();
    expect([written.length, written.at(-1)]).toEqual([12, '\r\x1b[2K']);
  });

  test('elsewhere is a plain line every ten seconds', () => {
    const { written, progress, work } = watch(false);
    work(25_000);
    progress.clear();
    expect(written).toEqual(['at 10000\n', 'at 20000\n']);
  });

  test('is nothing where it is not wanted', () => {
    const { written, work } = watch(true, false);
    work(1_000);
    expect(written).toEqual([]);
  });
});

describe('a question', () => {
  function person(answer: string, isTTY = true) {
    const input = Object.assign(new PassThrough(), { isTTY });
    const output = Object.assign(new PassThrough(), { isTTY });
    input.end(answer);
    return { input, output };
  }

  test('is not asked with --yes', async () => {
    await expect(confirm('Purge 3 jobs?', { yes: true }, person('n\n', false))).resolves.toBeUndefined();
  });

  test('is asked on a terminal, and only yes is yes', async () => {
    const asked = person('y\n');
    await expect(confirm('Purge 3 jobs?', {}, asked)).resolves.toBeUndefined();
    expect(await text(asked.output.end())).toContain('Purge 3 jobs? [y/N] ');
    for (const answer of ['n\n', '\n', '', 'yesterday\n']) {
      await expect(confirm('Purge 3 jobs?', {}, person(answer))).rejects.toMatchObject({ exitCode: 1, message: 'Nothing was changed.' });
    }
  });

  test('ends with 130 at Ctrl-C', async () => {
    await expect(confirm('Purge 3 jobs?', {}, person('\x03'))).rejects.toMatchObject({
      exitCode: 130,
      message: expect.stringMatching(/Nothing was changed/) as unknown,
    });
  });

  test('ends with what ends the command', async () => {
    const ending = new AbortController();
    const open = { ...person('y'), input: Object.assign(new PassThrough(), { isTTY: true }) };
    const asked = confirm('Purge 3 jobs?', { signal: ending.signal }, open);
    ending.abort(new Error('terminated'));
    await expect(asked).rejects.toThrow('terminated');
  });

  test('without a terminal is never asked: it names --yes and ends with 2', async () => {
    await expect(confirm('Purge 3 jobs?', {}, person('y\n', false))).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(/--yes/) as unknown });
  });
});
