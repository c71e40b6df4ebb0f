/**
 * Who may come in, kept up to date: what another process changed is noticed within half a second, what this one
 * changed at once. Uses of keys are written down now and then.
 */
import { type Authenticate, authenticateByKey, authenticateNobody } from '../auth/authenticate.ts';
import { KeyRing } from '../auth/key-ring.ts';
import { LIMITS } from '../domain/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Logger } from '../runtime/logger.ts';
import type { LeaseRepository } from '../store/housekeeping.ts';
import type { RuleBook } from './rule-book.ts';
import { Sessions, type Watch } from './sessions.ts';
import type { TenantLimits } from './tenant-limits.ts';

export interface AccessParts {
  readonly auth: Config['auth'];
  readonly store: Pick<LeaseRepository, 'findKey' | 'hasTenant' | 'nowMs' | 'noteKeyUses' | 'accessVersion' | 'onAccessChanged'>;
  /** Kept up to date as well. */
  readonly rules: Pick<RuleBook, 'forget'>;
  readonly limits: Pick<TenantLimits, 'renew'>;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  readonly log: Logger;
}

const LOOK_EVERY_MS = LIMITS.accessEndsMsMax / 2;

export class Access {
  readonly authenticate: Authenticate;
  readonly watch: Watch;
  readonly #parts: AccessParts;
  readonly #ring: KeyRing;
  readonly #sessions: Sessions;
  readonly #stopping = new AbortController();
  #version = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: AccessParts) {
    const { store } = parts;
    this.#parts = parts;
    this.#ring = new KeyRing({
      findKey: (tenant, id) => store.findKey(tenant, id),
      hasTenant: (tenant) => store.hasTenant(tenant),
      nowMs: () => store.nowMs(),
    });
    this.#sessions = new Sessions(this.#ring);
    this.authenticate = parts.auth === 'none' ? authenticateNobody : authenticateByKey(this.#ring);
    this.watch = this.#sessions.watch;
    store.onAccessChanged(() => void this.#attempt(() => this.#renew()));
  }

  /** Begins to look for changes. */
  start(): void {
    this.#running = this.#lookOnAndOn();
  }

  /** Ends once the last uses are written down. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #lookOnAndOn(): Promise<void> {
    const { store, clock } = this.#parts;
    const { signal } = this.#stopping;
    let writtenAtMs = clock.monotonicMs();
    while (!signal.aborted) {
      await this.#attempt(() => this.#lookForChanges());
      this.#sessions.endExpired(store.nowMs());
      if (clock.monotonicMs() - writtenAtMs >= LIMITS.keyUseWrittenMsMax - LOOK_EVERY_MS) {
        writtenAtMs = clock.monotonicMs();
        await this.#attempt(() => this.#writeUses());
      }
      await clock.sleep(LOOK_EVERY_MS, signal);
    }
    await this.#attempt(() => this.#writeUses());
  }

  async #lookForChanges(): Promise<void> {
    const version = await this.#parts.store.accessVersion();
    if (version === this.#version) return;
    await this.#renew();
    this.#version = version;
  }

  async #renew(): Promise<void> {
    this.#ring.forget();
    this.#parts.rules.forget();
    await this.#sessions.endLapsed();
    await this.#parts.limits.renew();
  }

  async #writeUses(): Promise<void> {
    const uses = this.#ring.takeUses();
    if (uses.length > 0) await this.#parts.store.noteKeyUses(uses);
  }

  /** A database that does not serve is told by every request; here it is tried again. */
  async #attempt(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.#parts.log.debug('keys could not be looked at', { error });
    }
  }
}
