/** A command's talk with a server: the client made from its flags, ended by signals, its errors turned into exit codes. */
import { type Command, Option } from 'commander';
import type { LeaseQueue, LeaseQueueOptions } from '../client/index.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { type ClientOptions, clientCommand, connectionOf } from './client-command.ts';
import type { Connection } from './connection.ts';
import { interruption } from './interruption.ts';
import { durationOption } from './options.ts';
import type { Output } from './print.ts';

/** The flags of every command that asks a server. */
export interface AskingOptions extends ClientOptions {
  /** Milliseconds. */
  readonly wait: number;
}

export interface Conversation {
  readonly lq: LeaseQueue;
  readonly connection: Connection;
  readonly output: Output;
  readonly clock: Clock;
  /** Aborts on Ctrl-C and on a request to terminate; the client's calls end with it by themselves. */
  readonly signal: AbortSignal;
}

const WAIT_MS = 30_000;

/** Adds the flags to a verb, after its own. */
export function askingCommand(command: Command, output: Output): Command {
  return clientCommand(command, output)
    .optionsGroup('Server:')
    .addOption(new Option('--wait <time>', 'how long to go on trying while the server is not reached').argParser(durationOption).default(WAIT_MS, '30s'))
    .optionsGroup('Options:');
}

/** Does what a command is there for. Throws what the client throws. */
export async function converse(options: AskingOptions, output: Output, act: (conversation: Conversation) => Promise<void>): Promise<void> {
  using interrupted = interruption();
  const { signal } = interrupted;
  const connection = connectionOf(options, output);
  const { clientOf } = await import('./make-client.ts');
  const lq = clientOf(connection, { retryFor: options.wait, signal, ...sayingWhatItWaitsFor(output) });
  await act({ lq, connection, output, clock: systemClock, signal });
}

/** Says once that the server is not there, and once that it is back. */
function sayingWhatItWaitsFor(output: Output): Pick<LeaseQueueOptions, 'onRetry' | 'onReached'> {
  let isWaiting = false;
  return {
    onRetry({ error }) {
      if (!isWaiting) output.talk(`${error.message} Trying again.`);
      isWaiting = true;
    },
    onReached() {
      isWaiting = false;
      output.talk('The server answers again.');
    },
  };
}
