/** Two queues give two ids and two tokens to one job: this book gives them one name, so that answers can be compared. */
import { expect } from 'vitest';
import type { TenantId } from '../../src/domain/job.ts';
import type { ClaimedJob, SubmitOutcome } from '../../src/store/answers.ts';

export type Side = 'model' | 'store';

/** A thing that both queues know, each under its own name. */
export type Pair = { readonly [Name in Side]: string };
export interface NamedJob {
  readonly tenant: TenantId;
  readonly id: Pair;
}
export interface NamedLease {
  readonly tenant: TenantId;
  readonly jobId: Pair;
  readonly token: Pair;
}

/** Differ for good reasons, or are looked at elsewhere. */
const LEFT_OUT = new Set(['leaseToken', 'updatedAtMs', 'nowMs', 'pollAgainInMs', 'leaseSeconds', 'position', 'seq', 'spent']);

/** How often each thing happened over all histories, to see that they are worth their time. */
export type Occurrences = Map<string, number>;

/** What answers are counted by. */
const WORTH_COUNTING = /"(code|reason|idle)":"[A-Za-z_]+"|"(replayed|deduplicated|cancelRequested|deadLettered)":true/g;

export class Names {
  readonly occurrences: Occurrences;
  readonly jobs: NamedJob[] = [];
  readonly leases: NamedLease[] = [];
  readonly #labels = new Map<string, string>();

  constructor(occurrences: Occurrences) {
    this.occurrences = occurrences;
  }

  note(what: string): void {
    this.occurrences.set(what, (this.occurrences.get(what) ?? 0) + 1);
  }

  /** The job or lease that a command means by its number, the newest being 0; null where there is none yet. */
  nth<Thing>(things: readonly Thing[], index: number): Thing | null {
    return things.length === 0 ? null : (things[things.length - 1 - (index % things.length)] ?? null);
  }

  noteSubmissions(tenant: TenantId, model: readonly SubmitOutcome[], store: readonly SubmitOutcome[]): void {
    model.forEach((outcome, index) => {
      const other = store[index];
      if (!outcome.ok || other?.ok !== true || this.#labels.has(outcome.value.job.id)) return;
      const id = { model: outcome.value.job.id, store: other.value.job.id };
      this.jobs.push({ tenant, id });
      for (const text of [id.model, id.store]) this.#labels.set(text, `J${this.jobs.length}`);
    });
  }

  noteLeases(tenant: TenantId, model: readonly ClaimedJob[], store: readonly ClaimedJob[]): void {
    for (const { job, leaseToken } of model) {
      const other = store.find((claimed) => this.label(claimed.job.id) === this.label(job.id));
      if (other === undefined) continue;
      this.leases.push({ tenant, jobId: { model: job.id, store: other.job.id }, token: { model: leaseToken, store: other.leaseToken } });
    }
  }

  /** The newest lease of each job. */
  newestLeases(): readonly NamedLease[] {
    return [...new Map(this.leases.map((lease) => [lease.jobId.model, lease])).values()];
  }

  label(id: string): string {
    return this.#labels.get(id) ?? id;
  }

  /** The value with ids by name and without what may differ. */
  plain(value: unknown): unknown {
    if (typeof value === 'string') return this.label(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.plain(item));
    const entries = Object.entries(value).filter(([name]) => !LEFT_OUT.has(name));
    return Object.fromEntries(entries.map(([name, child]) => [name, this.plain(child)]));
  }

  expectSame(what: string, { model, store }: { readonly [Name in Side]: unknown }): void {
    for (const [found] of JSON.stringify(model).matchAll(WORTH_COUNTING)) this.note(`${what} ${found.replaceAll('"', '')}`);
    expect({ [what]: this.plain(store) }).toEqual({ [what]: this.plain(model) });
  }
}
