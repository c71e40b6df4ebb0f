/**
 * One typed method for each operation of the API. A mutation answers with its union of success and failures: switch on
 * `__typename`, or pass it to `unwrap`. Errors that concern the whole request are thrown as LeaseQueueError. A call is
 * repeated while the server cannot be reached, if a second run could do no more than the first.
 */
import type { CallOptions, Caller, Operation } from './caller.ts';
import * as api from './generated/graphql.ts';

type Present<Result> = { readonly [Field in keyof Result]: NonNullable<Result[Field]> };

export class Operations {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** One job with its attempts and events; null where there is none. */
  async job(by: api.JobSelector, options?: CallOptions & Omit<api.JobQueryVariables, 'by'>) {
    const { signal, ...pages } = options ?? {};
    return (await this.#reads(api.JobDocument, { by, ...pages }, signal === undefined ? {} : { signal })).job;
  }

  async jobs(variables: api.JobsQueryVariables = {}, options?: CallOptions) {
    return (await this.#present(api.JobsDocument, variables, options)).jobs;
  }

  /** A page of jobs with everything that is known of each, payload and result included. */
  async jobDetails(variables: api.JobDetailsPageQueryVariables = {}, options?: CallOptions) {
    return (await this.#present(api.JobDetailsPageDocument, variables, options)).jobs;
  }

  /** The jobs that run now, the one whose lease ends soonest first. */
  async leases(variables: api.LeasesQueryVariables = {}, options?: CallOptions) {
    return (await this.#present(api.LeasesDocument, variables, options)).jobs;
  }

  async countJobs(filter?: api.JobFilter, options?: CallOptions & Omit<api.CountJobsQueryVariables, 'filter'>) {
    const { signal, ...bound } = options ?? {};
    return (await this.#present(api.CountJobsDocument, { filter, ...bound }, signal === undefined ? {} : { signal })).jobs.count;
  }

  /** A page of dead letters by what they died of; `filter: {deadLetterGroups: [id]}` finds the jobs of one. */
  async deadLetterGroups(variables: api.DeadLetterGroupsQueryVariables = {}, options?: CallOptions) {
    return (await this.#present(api.DeadLetterGroupsDocument, variables, options)).deadLetterGroups;
  }

  /** Null where there is none, or none any more. */
  async deadLetterGroup(id: string, options?: CallOptions) {
    return (await this.#reads(api.DeadLetterGroupDocument, { id }, options)).deadLetterGroup;
  }

  /** Null where there is none of this name. */
  async queue(name: string, options?: CallOptions) {
    return (await this.#reads(api.QueueDocument, { name }, options)).queue;
  }

  async queues(variables: api.QueuesQueryVariables = {}, options?: CallOptions) {
    return (await this.#present(api.QueuesDocument, variables, options)).queues;
  }

  /** Those that need somebody to look at them, the worst first. */
  async queuesByTrouble(variables: api.QueuesByTroubleQueryVariables = {}, options?: CallOptions) {
    return (await this.#present(api.QueuesByTroubleDocument, variables, options)).queues.nodes;
  }

  /** Figures over time; null where there is no queue of this name. */
  async series(variables: api.SeriesQueryVariables = {}, options?: CallOptions) {
    return (await this.#reads(api.SeriesDocument, variables, options)).series;
  }

  async stats(options?: CallOptions) {
    return (await this.#present(api.StatsDocument, {}, options)).stats;
  }

  async workers(variables: api.WorkersQueryVariables = {}, options?: CallOptions) {
    return (await this.#present(api.WorkersDocument, variables, options)).workers;
  }

  /** A page of the event log; `events()` follows it. */
  async eventPage(variables: api.JobEventsQueryVariables = {}, options?: CallOptions) {
    return (await this.#present(api.JobEventsDocument, variables, options)).jobEvents;
  }

  async latestEventCursor(options?: CallOptions) {
    return (await this.#present(api.LatestEventCursorDocument, {}, options)).latestEventCursor;
  }

  async viewer(options?: CallOptions) {
    return (await this.#present(api.ViewerDocument, {}, options)).viewer;
  }

  async apiKeys(options?: CallOptions) {
    return (await this.#present(api.ApiKeysDocument, {}, options)).apiKeys;
  }

  /** Null where the key may not see it, or there is none. */
  async tenant(id: string, options?: CallOptions) {
    return (await this.#reads(api.TenantDocument, { id }, options)).tenant;
  }

  async tenants(variables: api.TenantsQueryVariables = {}, options?: CallOptions) {
    return (await this.#present(api.TenantsDocument, variables, options)).tenants;
  }

  /** A page of what operators and administrators did, newest first. */
  async auditLog(variables: api.AuditLogQueryVariables = {}, options?: CallOptions) {
    return (await this.#present(api.AuditLogDocument, variables, options)).auditLog;
  }

  async redactionRules(options?: CallOptions) {
    return (await this.#present(api.RedactionRulesDocument, {}, options)).redactionRules;
  }

  /** What a reader would see of the value. Without rules, by those that are set. */
  async tryRedaction(variables: api.TryRedactionQueryVariables, options?: CallOptions): Promise<unknown> {
    return (await this.#reads(api.TryRedactionDocument, variables, options)).tryRedaction;
  }

  /** Repeat an own `requestId` after a lost answer: the same leases come back while they live. */
  async claimJobs(input: api.ClaimJobsInput, options?: CallOptions) {
    const isRepeatable = typeof input.requestId === 'string';
    return (await this.#changes(api.ClaimJobsDocument, { input }, { ...options, isRepeatable, holdMs: (input.waitSeconds ?? 0) * 1_000 })).claimJobs;
  }

  /** Repeat an own `requestId` after a lost answer: the jobs that the call made come back. */
  async submitJobs(input: api.SubmitJobsInput, options?: CallOptions) {
    const isRepeatable = typeof input.requestId === 'string';
    return (await this.#changes(api.SubmitJobsDocument, { input }, { ...options, isRepeatable })).submitJobs;
  }

  async failJob(input: api.FailJobInput, options?: CallOptions) {
    return (await this.#changes(api.FailJobDocument, { input }, { ...options, isRepeatable: true })).failJob;
  }

  async releaseJob(input: api.ReleaseJobInput, options?: CallOptions) {
    return (await this.#changes(api.ReleaseJobDocument, { input }, { ...options, isRepeatable: true })).releaseJob;
  }

  async cancelJob(input: api.CancelJobInput, options?: CallOptions) {
    return (await this.#changes(api.CancelJobDocument, { input }, options)).cancelJob;
  }

  async cancelJobs(input: api.CancelJobsInput, options?: CallOptions) {
    return (await this.#changes(api.CancelJobsDocument, { input }, options)).cancelJobs;
  }

  async redriveJob(input: api.RedriveJobInput, options?: CallOptions) {
    return (await this.#changes(api.RedriveJobDocument, { input }, options)).redriveJob;
  }

  async redriveJobs(input: api.RedriveJobsInput, options?: CallOptions) {
    return (await this.#changes(api.RedriveJobsDocument, { input }, options)).redriveJobs;
  }

  async rescheduleJob(input: api.RescheduleJobInput, options?: CallOptions) {
    return (await this.#changes(api.RescheduleJobDocument, { input }, options)).rescheduleJob;
  }

  async purgeJobs(input: api.PurgeJobsInput, options?: CallOptions) {
    return (await this.#changes(api.PurgeJobsDocument, { input }, options)).purgeJobs;
  }

  async pauseQueue(input: api.PauseQueueInput, options?: CallOptions) {
    return (await this.#changes(api.PauseQueueDocument, { input }, { ...options, isRepeatable: true })).pauseQueue;
  }

  async resumeQueue(input: api.ResumeQueueInput, options?: CallOptions) {
    return (await this.#changes(api.ResumeQueueDocument, { input }, { ...options, isRepeatable: true })).resumeQueue;
  }

  async configureQueue(input: api.ConfigureQueueInput, options?: CallOptions) {
    return (await this.#changes(api.ConfigureQueueDocument, { input }, options)).configureQueue;
  }

  async setRedactionRules(input: api.SetRedactionRulesInput, options?: CallOptions) {
    return (await this.#changes(api.SetRedactionRulesDocument, { input }, options)).setRedactionRules;
  }

  async createApiKey(input: api.CreateApiKeyInput, options?: CallOptions) {
    return (await this.#changes(api.CreateApiKeyDocument, { input }, options)).createApiKey;
  }

  async revokeApiKey(input: api.RevokeApiKeyInput, options?: CallOptions) {
    return (await this.#changes(api.RevokeApiKeyDocument, { input }, { ...options, isRepeatable: true })).revokeApiKey;
  }

  async createTenant(input: api.CreateTenantInput, options?: CallOptions) {
    return (await this.#changes(api.CreateTenantDocument, { input }, options)).createTenant;
  }

  async updateTenant(input: api.UpdateTenantInput, options?: CallOptions) {
    return (await this.#changes(api.UpdateTenantDocument, { input }, { ...options, isRepeatable: true })).updateTenant;
  }

  #reads<Result, Given>(asked: Operation<Result, Given>, variables: Given, options: CallOptions = {}): Promise<Result> {
    return this.#caller.call(asked, variables, { ...options, isRepeatable: true });
  }

  /** For fields that are null only together with an error, which is thrown. */
  #present<Result, Given>(asked: Operation<Result, Given>, variables: Given, options?: CallOptions): Promise<Present<Result>> {
    return this.#reads(asked, variables, options) as Promise<Present<Result>>;
  }

  #changes<Result, Given>(
    asked: Operation<Result, Given>,
    variables: Given,
    options: CallOptions & { readonly isRepeatable?: boolean; readonly holdMs?: number } = {},
  ): Promise<Present<Result>> {
    return this.#caller.call(asked, variables, { isRepeatable: false, ...options }) as Promise<Present<Result>>;
  }
}
