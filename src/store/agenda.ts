/**
 * When which queue needs the sweeper: the next lease to lapse, the next delayed job to fall due. Kept in memory so
 * that a sweep costs nothing where nothing is due; a note that comes too early only costs one look.
 */
import type { Appointment } from './tally.ts';

export class Agenda {
  readonly #next = new Map<string, Appointment>();

  note(appointment: Appointment): void {
    const key = `${appointment.tenant}\n${appointment.queue}`;
    const known = this.#next.get(key);
    if (known === undefined || appointment.atMs < known.atMs) this.#next.set(key, appointment);
  }

  /** Takes out what is due, `max` at most, the earliest first; whoever took it notes the queue's next appointment again. */
  takeDue(nowMs: number, max: number): readonly Appointment[] {
    const due = [...this.#next.entries()]
      .filter(([, { atMs }]) => atMs <= nowMs)
      .toSorted(([, a], [, b]) => a.atMs - b.atMs)
      .slice(0, max);
    for (const [key] of due) this.#next.delete(key);
    return due.map(([, appointment]) => appointment);
  }

  nextAtMs(): number | null {
    let next: number | null = null;
    for (const { atMs } of this.#next.values()) if (next === null || atMs < next) next = atMs;
    return next;
  }
}
