/** Plays a history on the model and on the store: both must answer each command alike. */
import type { Start, SubmitRequest } from '../../src/domain/idempotency.ts';
import type { TenantId } from '../../src/domain/job.ts';
import type { ClaimAnswer } from '../../src/store/answers.ts';
import type { ClaimRequest } from '../../src/store/requests.ts';
import { RETENTION } from '../support/job-factory.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openTestStore } from '../support/store.ts';
import { NOBODY, tenant } from '../support/tenants.ts';
import type { CommandOf, HistoryCommand, JobAim, LeaseAim } from './history-commands.ts';
import { HistoryChecks } from './history-checks.ts';
import { type NamedJob, type NamedLease, Names, type Occurrences, type Side } from './history-names.ts';
import { ModelQueue } from './model.ts';
import type { DrivenRepository } from './repository-driver.ts';

interface RepeatableClaim {
  readonly owner: TenantId;
  readonly request: Omit<ClaimRequest, 'completing'>;
  readonly completing: readonly NamedLease[];
}
type Both<Result> = { readonly [Name in Side]: Result };

export async function playHistory(commands: readonly HistoryCommand[], occurrences: Occurrences): Promise<void> {
  const clock = new ManualClock();
  const { store, engine } = await openTestStore({ clock });
  const names = new Names(occurrences);
  const model = new ModelQueue(clock, RETENTION);
  const player = new Player({ model, store }, names, clock);
  const checks = new HistoryChecks({ model, store, engine }, names);
  for (const command of commands) {
    await player.perform(command);
    await checks.compareAll();
  }
  await checks.compareLedgers();
  await store.close();
}

class Player {
  readonly #sides: Both<DrivenRepository>;
  readonly #names: Names;
  readonly #clock: ManualClock;
  readonly #claims: RepeatableClaim[] = [];

  constructor(sides: Both<DrivenRepository>, names: Names, clock: ManualClock) {
    this.#sides = sides;
    this.#names = names;
    this.#clock = clock;
  }

  async perform(command: HistoryCommand): Promise<void> {
    switch (command.name) {
      case 'nothing':
        return;
      case 'submit':
        return this.#submit(command.args);
      case 'claim':
        return this.#claim(command.args);
      case 'repeatClaim':
        return this.#repeat(command.args);
      case 'heartbeat':
        return this.#heartbeat(command.args);
      case 'complete':
        return this.#complete(command.args);
      case 'fail':
        return this.#fail(command.args);
      case 'release':
        return this.#release(command.args);
      case 'spin':
        return this.#spin(command.args);
      case 'cancel':
        return this.#onJob(command.args.job, (repository, { tenant: owner }, jobId) => repository.cancel(owner, NOBODY, { ...command.args, jobId }));
      case 'redrive':
        return this.#onJob(command.args.job, (repository, { tenant: owner }, jobId) =>
          repository.redrive(owner, NOBODY, { ...command.args, jobId, start: this.#start(command.args.start) }),
        );
      case 'reschedule':
        return this.#onJob(command.args.job, (repository, { tenant: owner }, jobId) =>
          repository.reschedule(owner, NOBODY, { ...command.args, jobId, start: this.#start(command.args.start) }),
        );
      case 'purge':
        return this.#onJob(command.args.job, (repository, { tenant: owner }, jobId) =>
          repository.bulk(owner, NOBODY, { target: { ids: [jobId] }, action: { name: 'purge' }, limit: 1, dryRun: false }),
        );
      case 'pause':
        return this.#pause(command.args);
      case 'resume':
        return this.#resume(command.args);
      case 'sweep':
        return this.#sweep();
      case 'retain':
        return this.#retain();
      case 'pass':
        this.#clock.advance(command.args.ms);
        return;
      default:
        return command satisfies never;
    }
  }

  async #submit(args: CommandOf<'submit'>): Promise<void> {
    const { owner, start, key, count, isKeyedThroughout, allOrNothing, ...rest } = args;
    const request: SubmitRequest = {
      ...rest,
      payloadJson: '{"secret":"canary-payload-1"}',
      retryMaxSeconds: null,
      start: this.#start(start),
      concurrencyKey: null,
      tags: [{ key: 'a', value: 'b' }],
      idempotencyKey: key,
    };
    const requests = Array.from({ length: count }, (_, index) => (index === 0 || isKeyedThroughout ? request : { ...request, idempotencyKey: null }));
    const outcomes = await this.#both((repository) => repository.submit(tenant(owner), NOBODY, requests, allOrNothing));
    this.#names.noteSubmissions(tenant(owner), outcomes.model, outcomes.store);
    this.#names.expectSame('submit', outcomes);
  }

  async #claim({ owner, completing, ...args }: CommandOf<'claim'>): Promise<void> {
    const leases = (await this.#leases(completing)).filter((lease) => lease.tenant === tenant(owner));
    const claim = { owner: tenant(owner), request: { ...args, waitSeconds: 0 }, completing: leases };
    this.#claims.push(claim);
    await this.#claimOnce(claim);
  }

  async #repeat({ claim }: CommandOf<'repeatClaim'>): Promise<void> {
    const found = this.#names.nth(this.#claims, claim);
    if (found !== null) await this.#claimOnce(found);
  }

  async #claimOnce({ owner, request, completing }: RepeatableClaim): Promise<Both<ClaimAnswer>> {
    const answers = await this.#both((repository, side) => {
      const items = completing.map(({ jobId, token }) => ({ jobId: jobId[side], leaseToken: token[side], resultJson: null }));
      return repository.claim(owner, NOBODY, { ...request, completing: items });
    });
    if (answers.model.leases.some(({ job }) => job.lease !== null && job.lease.startedAtMs < this.#clock.nowMs())) this.#names.note('claim repeated');
    this.#names.noteLeases(owner, answers.model.leases, answers.store.leases);
    // A repeat may show the leases in another order than the claim did.
    const inOrder = ({ leases, ...answer }: ClaimAnswer): unknown => ({
      ...answer,
      leases: request.requestId === null ? leases : leases.toSorted((a, b) => this.#names.label(a.job.id).localeCompare(this.#names.label(b.job.id))),
    });
    this.#names.expectSame('claim', { model: inOrder(answers.model), store: inOrder(answers.store) });
    return answers;
  }

  async #heartbeat({ leases, extendSeconds, percent }: CommandOf<'heartbeat'>): Promise<void> {
    const progress = percent === null ? null : { percent, note: 'n' };
    await this.#onLeases(leases, (repository, owner, held) =>
      repository.heartbeat(
        owner,
        NOBODY,
        held.map((item) => ({ ...item, extendSeconds, progress })),
      ),
    );
  }

  async #complete({ leases, resultJson }: CommandOf<'complete'>): Promise<void> {
    await this.#onLeases(leases, (repository, owner, held) =>
      repository.complete(
        owner,
        NOBODY,
        held.map((item) => ({ ...item, resultJson })),
      ),
    );
  }

  async #fail({ lease, afterSeconds, isHopeless }: CommandOf<'fail'>): Promise<void> {
    const retry = isHopeless ? ({ never: true } as const) : afterSeconds === null ? null : { afterSeconds };
    await this.#onLeases([lease], (repository, owner, [held]) =>
      repository.fail(owner, NOBODY, { ...held!, error: { type: 'E', message: 'boom', detailsJson: '{"a":1}' }, retry }),
    );
  }

  async #release({ lease, afterSeconds }: CommandOf<'release'>): Promise<void> {
    await this.#onLeases([lease], (repository, owner, held) =>
      repository.release(
        owner,
        NOBODY,
        held.map((item) => ({ ...item, afterSeconds })),
      ),
    );
  }

  async #spin({ owner, queue, times }: CommandOf<'spin'>): Promise<void> {
    const request = { queues: [queue], workerId: 'w1', max: 1, leaseSeconds: 30, waitSeconds: 0, tasks: null, requestId: null };
    for (let time = 0; time < times; time++) {
      const { model } = await this.#claimOnce({ owner: tenant(owner), request, completing: [] });
      if (model.leases.length > 0) await this.#release({ lease: { isHeld: false, index: 0 }, afterSeconds: 0 });
    }
  }

  async #pause({ owner, queue }: CommandOf<'pause'>): Promise<void> {
    const outcomes = await this.#both((repository) => repository.pauseQueue(tenant(owner), NOBODY, queue, 'why'));
    this.#names.expectSame('pause', { model: changedOf(outcomes.model), store: changedOf(outcomes.store) });
  }

  async #resume({ owner, queue }: CommandOf<'resume'>): Promise<void> {
    const outcomes = await this.#both((repository) => repository.resumeQueue(tenant(owner), NOBODY, queue));
    this.#names.expectSame('resume', { model: changedOf(outcomes.model), store: changedOf(outcomes.store) });
  }

  async #sweep(): Promise<void> {
    const { model, store } = await this.#both((repository) => repository.sweep());
    this.#names.expectSame('sweep', { model: model.expired, store: store.expired });
  }

  /** What is gone afterwards is compared with everything else; the figure also counts what purges have left. */
  async #retain(): Promise<void> {
    await this.#both(async (repository) => {
      while ((await repository.retain()).hasMore);
    });
  }

  /** Does the same to one job, which the commands name by its number. */
  async #onJob({ states, index }: JobAim, act: (repository: DrivenRepository, job: NamedJob, jobId: string) => Promise<unknown>): Promise<void> {
    const fitting: NamedJob[] = [];
    for (const named of this.#names.jobs) {
      const row = await this.#sides.model.jobById(named.tenant, named.id.model);
      if (row !== null && states?.includes(row.state) === true) fitting.push(named);
    }
    const job = this.#names.nth(fitting.length > 0 ? fitting : this.#names.jobs, index);
    if (job === null) return;
    this.#names.expectSame('operator', await this.#both((repository, side) => act(repository, job, job.id[side])));
  }

  async #onLeases(
    aims: readonly LeaseAim[],
    act: (repository: DrivenRepository, owner: TenantId, held: readonly { readonly jobId: string; readonly leaseToken: string }[]) => Promise<unknown>,
  ): Promise<void> {
    const leases = await this.#leases(aims);
    const [first] = leases;
    if (first === undefined) return;
    // Leases of the other tenant are sent along: they must be as good as unknown.
    const answers = await this.#both((repository, side) =>
      act(
        repository,
        first.tenant,
        leases.map(({ jobId, token }) => ({ jobId: jobId[side], leaseToken: token[side] })),
      ),
    );
    this.#names.expectSame('holder', answers);
  }

  /** Leases by number: among those that are held, or among all there ever were. */
  async #leases(aims: readonly LeaseAim[]): Promise<readonly NamedLease[]> {
    const held: NamedLease[] = [];
    for (const lease of this.#names.newestLeases()) {
      const job = await this.#sides.model.jobById(lease.tenant, lease.jobId.model);
      if (job?.state === 'running') held.push(lease);
    }
    return aims.flatMap(({ isHeld, index }) => this.#names.nth(isHeld && held.length > 0 ? held : this.#names.leases, index) ?? []);
  }

  async #both<Result>(act: (repository: DrivenRepository, side: Side) => Promise<Result>): Promise<Both<Result>> {
    return { model: await act(this.#sides.model, 'model'), store: await act(this.#sides.store, 'store') };
  }

  #start(start: { readonly inSeconds: number } | { readonly agoMs: number } | null): Start | null {
    if (start === null || 'inSeconds' in start) return start;
    return { atMs: this.#clock.nowMs() - start.agoMs };
  }
}

function changedOf(outcome: { readonly ok: boolean; readonly value?: { readonly changed: boolean } }): unknown {
  return { ok: outcome.ok, changed: outcome.value?.changed ?? null };
}
