/** The commands that open a database or run the server need a newer Node than those that only talk to one. */
import { CommandFailure, EXIT } from './failure.ts';

export const SERVER_NODE_MAJOR_MIN = 24;

export function runsServer(version: string): boolean {
  return Number(version.split('.')[0]) >= SERVER_NODE_MAJOR_MIN;
}

/** To be called before anything is loaded that an older Node dies of without a word. */
export function requireServerNode(): void {
  const { node } = process.versions;
  if (runsServer(node)) return;
  throw new CommandFailure(
    `this command needs Node ${SERVER_NODE_MAJOR_MIN} or later, and this is ${node}. Nothing was done. Start it with a newer one; the commands that talk to a server run on this one too.`,
    EXIT.failed,
  );
}
