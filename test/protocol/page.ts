/** A page of documentation as a script of its commands, and what it says that each of them answers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Step {
  readonly line: number;
  readonly commands: string;
  /** What the page shows under the commands; null where it shows nothing. */
  readonly shown: { readonly language: string; readonly text: string } | null;
}
export interface PageRun {
  /** What each step printed, in order. */
  readonly printed: readonly string[];
  readonly complaints: string;
}

const BLOCK = /^```(\w+)\n([^]*?)^```/gm;
const END = '=== the end of a step ===';

/** Each block of commands with the block of its answer. */
export function stepsOf(page: string): readonly Step[] {
  const blocks = [...page.matchAll(BLOCK)].map(([, language = '', text = ''], number, all) => ({ language, text, next: all[number + 1], at: all[number] }));
  return blocks
    .filter(({ language }) => language === 'sh')
    .map(({ text, next, at }) => {
      const [, language = 'sh', answer = ''] = next ?? [];
      const isAnswer = language === 'json' || language === 'text';
      return { line: page.slice(0, at?.index).split('\n').length, commands: text, shown: isAnswer ? { language, text: answer } : null };
    });
}

/** The code of the page in this language. */
export function codeOf(page: string, language: string): string {
  return [...page.matchAll(BLOCK)].flatMap(([, of, text = '']) => (of === language ? [text] : [])).join('');
}

/** Runs the steps from top to bottom in one shell, as a reader does who pastes them. */
export async function runSteps(steps: readonly Step[], url: string): Promise<PageRun> {
  const script = steps.map(({ commands }) => `${commands.replaceAll('http://127.0.0.1:8000', url)}\nprintf '\\n%s\\n' '${END}'\n`).join('');
  const child = spawn('bash', { stdio: ['pipe', 'pipe', 'pipe'], env: { PATH: process.env['PATH'] ?? '' } });
  let [stdout, complaints] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  child.stdin.end(script);
  await once(child, 'close');
  return { printed: stdout.split(`\n${END}\n`).slice(0, -1), complaints };
}
