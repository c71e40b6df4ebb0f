/**
 * What the next claim may ask for. A claim has one limit for all its tasks, so that tasks with a limit of their own are
 * asked for apart, in turn; a claim that waits asks for all of them, and for no more than each has room for.
 */
import { LIMITS } from '../domain/limits.ts';
import type { Registration } from './registration.ts';

export interface Lane {
  /** Null: every task. */
  readonly tasks: readonly string[] | null;
  /** Leases that it may take. */
  readonly room: number;
  readonly leaseSeconds: number;
}

export interface Load {
  /** Jobs of a task that run or wait here. */
  readonly countOf: (registration: Registration) => number;
  /** Free slots of the whole worker. */
  readonly room: number;
}

/** Those that have room. The first has every task without a limit of its own. */
export function openLanes(registrations: readonly Registration[], { countOf, room }: Load): readonly Lane[] {
  if (room <= 0) return [];
  const isUnlimited = ({ concurrency }: Registration): boolean => concurrency === Number.POSITIVE_INFINITY;
  const [free, limited] = [registrations.filter(isUnlimited), registrations.filter((registration) => !isUnlimited(registration))];
  const shared = chunks(free, LIMITS.claimTasksMax).map((some) => laneOf(some, room));
  const own = limited.map((registration) => laneOf([registration], Math.min(room, registration.concurrency - countOf(registration))));
  return [...shared, ...own].filter((lane) => lane.room > 0);
}

/** All that fit into one claim, with the room of the narrowest. */
export function joined(lanes: readonly Lane[]): Lane {
  const rooms = lanes.map(({ room }) => room);
  const leases = lanes.map(({ leaseSeconds }) => leaseSeconds);
  const tasks = lanes.every((lane) => lane.tasks !== null) ? lanes.flatMap((lane) => lane.tasks ?? []).slice(0, LIMITS.claimTasksMax) : null;
  return { tasks, room: Math.min(...rooms), leaseSeconds: Math.min(...leases) };
}

function laneOf(registrations: readonly Registration[], room: number): Lane {
  const names = registrations.map(({ task }) => task?.name ?? null);
  const tasks = names.every((name) => name !== null) ? names : null;
  return { tasks, room: Math.min(room, LIMITS.claimLeasesMax), leaseSeconds: Math.min(...registrations.map(({ leaseSeconds }) => leaseSeconds)) };
}

function chunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}
