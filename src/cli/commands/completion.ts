/** `leasequeue completion`: the script for a shell. */
import { Argument, type Command } from 'commander';
import { COMPLETION_SCRIPTS, type Shell } from '../completion-scripts.ts';
import { examples } from '../examples.ts';
import type { Output } from '../print.ts';

export function defineCompletion(noun: Command, output: Output): void {
  noun
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(COMPLETION_SCRIPTS)))
    .action((shell: Shell) => output.data(COMPLETION_SCRIPTS[shell]));
  examples(noun, 'leasequeue completion bash > leasequeue.bash', 'leasequeue completion fish > leasequeue.fish');
}
