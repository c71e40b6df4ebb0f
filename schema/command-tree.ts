/** All commands that there are, with their verbs loaded. */
import type { Command } from 'commander';
import type { Output } from '../src/cli/print.ts';
import { createProgram } from '../src/cli/program.ts';

/** No command is run. */
const SILENT: Output = {
  tryData: async () => null,
  data: async () => {},
  talk: () => {},
  fault: () => {},
  adopt: () => {},
  isRead: () => true,
  isTerminal: () => false,
  look: () => ({ hasColor: false, columns: null }),
  tellsProgress: () => false,
};

export function wholeProgram(): Promise<Command> {
  return createProgram(SILENT, () => true);
}

export function fullName(command: Command): string {
  return command.parent === null ? '' : `${fullName(command.parent)} ${command.name()}`.trim();
}

/** The commands that do something, hidden ones aside. */
export function leavesOf(command: Command): readonly Command[] {
  const visible = new Set(command.createHelp().visibleCommands(command));
  return command.commands.length === 0 ? [command] : command.commands.filter((each) => visible.has(each)).flatMap(leavesOf);
}
