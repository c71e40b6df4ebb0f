/** The model's queues: what is configured, and whether they are open. */
import { failed, type Outcome, type QueueNotFound, succeeded, type VersionConflict } from '../../src/domain/failures.ts';
import type { Retention, TenantId } from '../../src/domain/job.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import type { Queue, QueueState } from '../../src/store/answers.ts';
import type { ConfigureQueueRequest, QueueDefaults } from '../../src/store/requests.ts';

const SERVER_DEFAULTS: QueueDefaults = {
  priority: LIMITS.priorityDefault,
  maxAttempts: LIMITS.maxAttemptsDefault,
  retryBaseSeconds: LIMITS.retryBaseSecondsDefault,
  retryMaxSeconds: LIMITS.retryMaxSecondsDefault,
  leaseSeconds: LIMITS.leaseSecondsDefault,
};

/** The fields that a request names: its value, or the server's own where it says null. */
function configured<Fields extends object>(current: Fields, change: { readonly [Field in keyof Fields]?: Fields[Field] | null }, own: Fields): Fields {
  const named = (Object.keys(change) as (keyof Fields)[]).map((field) => [field, change[field] ?? own[field]]);
  return { ...current, ...(Object.fromEntries(named) as Partial<Fields>) };
}

export class ModelQueues {
  readonly #retention: Retention;
  readonly #queues = new Map<string, Queue>();

  constructor(retention: Retention) {
    this.#retention = retention;
  }

  find(tenant: TenantId, name: string): Queue | null {
    return this.#queues.get(`${tenant} ${name}`) ?? null;
  }

  /** The queue of this name, made where there is none. */
  open(tenant: TenantId, name: string, nowMs: number): Queue {
    return this.find(tenant, name) ?? this.#put(tenant, this.#fresh(name, nowMs));
  }

  /** What holds for a queue, also where nobody has used it yet. */
  settingsOf(tenant: TenantId, name: string): Queue {
    return this.find(tenant, name) ?? this.#fresh(name, 0);
  }

  configure(tenant: TenantId, request: ConfigureQueueRequest, nowMs: number): Outcome<{ readonly queue: Queue }, VersionConflict> {
    const current = this.settingsOf(tenant, request.name);
    if (request.expectedVersion !== null && request.expectedVersion !== current.version)
      return failed({ code: 'VERSION_CONFLICT', currentVersion: current.version });
    const queue = {
      ...this.open(tenant, request.name, nowMs),
      defaults: configured(current.defaults, request.defaults, SERVER_DEFAULTS),
      retention: configured(current.retention, request.retention, this.#retention),
      version: current.version + 1,
    };
    return succeeded({ queue: this.#put(tenant, queue) });
  }

  pause(tenant: TenantId, name: string, reason: string | null, nowMs: number): Outcome<QueueState, QueueNotFound> {
    const queue = this.open(tenant, name, nowMs);
    if (queue.pausedAtMs !== null) return succeeded({ queue, changed: false });
    return succeeded({ queue: this.#put(tenant, { ...queue, pausedAtMs: nowMs, pauseReason: reason }), changed: true });
  }

  resume(tenant: TenantId, name: string): Outcome<QueueState, QueueNotFound> {
    const queue = this.find(tenant, name);
    if (queue === null) return failed({ code: 'QUEUE_NOT_FOUND', name });
    if (queue.pausedAtMs === null) return succeeded({ queue, changed: false });
    return succeeded({ queue: this.#put(tenant, { ...queue, pausedAtMs: null, pauseReason: null }), changed: true });
  }

  #fresh(name: string, nowMs: number): Queue {
    return { name, pausedAtMs: null, pauseReason: null, defaults: SERVER_DEFAULTS, retention: this.#retention, version: 1, createdAtMs: nowMs };
  }

  #put(tenant: TenantId, queue: Queue): Queue {
    this.#queues.set(`${tenant} ${queue.name}`, queue);
    return queue;
  }
}
