/** The question before something that cannot be taken back. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { CommandFailure, EXIT } from './failure.ts';

interface Person {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/**
 * Ends where the person, or `--yes`, agrees. Throws a CommandFailure where they do not, and where nobody can be asked:
 * without a terminal there is no prompt. With the signal the question ends, with its reason.
 */
export async function confirm(
  question: string,
  { yes, signal }: { readonly yes?: boolean | undefined; readonly signal?: AbortSignal },
  { input, output }: Person = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (yes === true) return;
  if (input.isTTY !== true || output.isTTY !== true) throw new CommandFailure(`${question} Nothing was changed: repeat it with --yes.`, EXIT.usage);
  const answer = await answerTo(`${question} [y/N] `, input, output, signal);
  signal?.throwIfAborted();
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new CommandFailure('Nothing was changed.', EXIT.failed);
}

async function answerTo(prompt: string, input: NodeJS.ReadableStream, output: NodeJS.WritableStream, signal?: AbortSignal): Promise<string> {
  const lines = createInterface({ input, output, ...(signal !== undefined && { signal }) });
  try {
    const interrupted = once(lines, 'SIGINT').then(() => {
      throw new CommandFailure('Interrupted. Nothing was changed.', EXIT.interrupted);
    });
    const closed = once(lines, 'close').then(() => '');
    return await Promise.race([new Promise<string>((resolve) => lines.question(prompt, resolve)), interrupted, closed]);
  } finally {
    lines.close();
  }
}
