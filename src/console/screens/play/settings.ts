/** What a worker is that a person plays: its name, the queues that it asks for, and how long its leases are. */
import { systemChance } from '../../../runtime/chance.ts';
import { LIMITS, NAME_PATTERN, VISIBLE_PATTERN } from '../../../domain/limits.ts';
import { wholeFault } from '../../parts/whole.ts';

export interface PlaySettings {
  readonly workerId: string;
  /** With commas or spaces between them, in order of preference. */
  readonly queues: string;
  readonly leaseSeconds: string;
}

const NAME_DIGITS = 6;

export function firstSettings(): PlaySettings {
  return { workerId: `console-${systemChance.word().slice(0, NAME_DIGITS)}`, queues: 'default', leaseSeconds: String(LIMITS.leaseSecondsDefault) };
}

export function queuesOf({ queues }: Pick<PlaySettings, 'queues'>): readonly string[] {
  return [...new Set(queues.split(/[\s,]+/).filter((name) => name !== ''))];
}

export function queuesFault(settings: Pick<PlaySettings, 'queues'>): string | null {
  const names = queuesOf(settings);
  if (names.length === 0) return 'at least one is needed';
  if (names.length > LIMITS.claimQueuesMax) return `${LIMITS.claimQueuesMax} at most`;
  const bad = names.find((name) => !NAME_PATTERN.test(name) || name.length > LIMITS.nameCharactersMax);
  return bad === undefined ? null : `“${bad}” is no name of a queue`;
}

export function workerFault({ workerId }: Pick<PlaySettings, 'workerId'>): string | null {
  if (workerId.length > LIMITS.workerIdCharactersMax) return `has more than ${LIMITS.workerIdCharactersMax} characters`;
  return VISIBLE_PATTERN.test(workerId) ? null : 'has 1 or more visible characters, no spaces';
}

export function leaseFault({ leaseSeconds }: Pick<PlaySettings, 'leaseSeconds'>): string | null {
  return leaseSeconds.trim() === '' ? 'is needed' : wholeFault(leaseSeconds, LIMITS.leaseSecondsMin, LIMITS.leaseSecondsMax);
}
