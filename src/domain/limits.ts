/**
 * Every number that somebody outside the server can run into. The unit is the last word of each name, the
 * reason stands beside it. At the limit is accepted, one more is refused.
 */
export const LIMITS = {
  /** Queue and task names, tag keys and tenant ids: long enough to read, short enough for an index. */
  nameCharactersMax: 64,
  tenantCharactersMax: 64,

  /** Canonical UTF-8 form. Bigger inputs belong in an object store, with a reference in the payload. */
  payloadBytesMax: 65_536,
  resultBytesMax: 65_536,
  /** Shared by payload, result and error details: deeper trees overflow recursive readers elsewhere. */
  jsonDepthMax: 32,
  errorTextBytesMax: 4_096,
  errorDetailsBytesMax: 16_384,
  errorTypeCharactersMax: 256,
  progressNoteCharactersMax: 1_000,
  progressPercentMax: 100,
  reasonCharactersMax: 1_000,

  /** One HTTP body or WebSocket message, counted as it arrives. */
  requestBytesMax: 131_072,
  /** Address, and names and values of the headers, together. */
  requestHeaderBytesMax: 16_384,
  /** Browsers behind several proxies send some forty. */
  requestHeadersMax: 100,
  /** The part of a request line that names the address: a query by GET with its variables. */
  requestAddressCharactersMax: 8_192,
  /** From the connection, or the first byte of a request, to the end of its headers: also for who says nothing at all. */
  requestHeadersMsMax: 15_000,
  /** From the first byte of a request to its last. */
  requestMsMax: 30_000,
  /** Between two requests of a connection. */
  keepAliveMsMax: 5_000,
  /** Sent one behind the other without waiting for answers. Past these the connection is cut: its answers could wait for ever. */
  requestsAtOncePerConnectionMax: 20,
  /** Of every kind: requests, event streams and sockets. Below what a process may usually open. */
  connectionsMax: 4_000,
  /** An answer that is not taken whole after this long is cut: at its largest it is some megabytes. */
  answerTakenMsMax: 60_000,

  priorityMin: -100,
  priorityMax: 100,
  priorityDefault: 0,
  maxAttemptsMin: 1,
  maxAttemptsMax: 20,
  maxAttemptsDefault: 3,
  startAheadSecondsMax: 2_592_000,
  retryBaseSecondsMin: 1,
  retryBaseSecondsMax: 3_600,
  retryBaseSecondsDefault: 15,
  retryMaxSecondsMin: 1,
  retryMaxSecondsMax: 86_400,
  retryMaxSecondsDefault: 3_600,
  /** failJob's `retry.afterSeconds` and releaseJob's `afterSeconds`. */
  afterSecondsMax: 86_400,
  /** Share of a retry delay that chance may take off, so that failures of one moment do not return together. */
  retryJitterRatioMax: 0.1,
  /** Releases in a row that give the attempt back; the next one keeps it, so that nothing spins for ever. */
  refundedReleasesMax: 10,

  workerIdCharactersMax: 128,
  leaseSecondsMin: 5,
  leaseSecondsMax: 3_600,
  leaseSecondsDefault: 60,
  claimLeasesMax: 100,
  claimQueuesMax: 100,
  claimTasksMax: 100,
  claimCompletingMax: 100,
  waitSecondsMax: 30,
  requestIdCharactersMax: 128,

  idempotencyKeyCharactersMax: 128,
  /** An idempotency key answers for at least this long after its submission, whatever retention says. */
  idempotencyWindowSeconds: 86_400,

  tagsMax: 16,
  tagValueCharactersMax: 256,
  concurrencyKeyCharactersMax: 128,

  batchItemsMax: 500,
  bulkJobsMax: 1_000,
  /** Skipped jobs that a bulk answer shows with their reason. */
  bulkSamplesMax: 20,
  /** Of the message that a group of dead letters shows. */
  groupMessageCharactersMax: 300,
  /** That its trend shows. */
  groupTrendHours: 24,
  filterValuesMax: 100,
  pageItemsMax: 100,
  /** Of the workers of a tenant, which are read with all that they hold. */
  workersMax: 1_000,
  countMax: 10_000,
  /** Jobs that a count by more than queue and state looks through: some tens of milliseconds. */
  countedJobsMax: 30_000,
  /** Jobs that a page of a list looks through where the caller sets a bound: some tens of milliseconds. */
  lookThroughJobsMax: 50_000,
  cursorCharactersMax: 512,

  feedBatchEventsMax: 1_000,
  feedBatchEventsDefault: 200,
  feedPauseMsMin: 20,
  feedPauseMsMax: 10_000,
  feedPauseMsDefault: 50,
  /** One message of a feed. A batch that would be longer goes out in parts; a single event is never cut. */
  feedMessageBytesMax: 1_048_576,
  /** Unsent bytes of a subscriber up to which it gets messages along with others; past them it reads on alone, later. */
  feedLagBytesMax: 262_144,
  statsEverySecondsMax: 60,
  statsEverySecondsDefault: 2,
  /** Figures of each minute: a day of them is shown, and two hours may pass before they become hours. */
  seriesMinutesKeptSeconds: 93_600,
  /** Figures of each hour: a week of them is shown. */
  seriesHoursKeptSeconds: 691_200,
  /** One page of the queues in trouble: more than anybody looks through. */
  troubledQueuesMax: 200,

  /** Room for as many tokens as a document may have; what does not fit belongs into variables. */
  documentBytesMax: 32_768,
  documentTokensMax: 2_000,
  documentDepthMax: 12,
  documentAliasesMax: 30,
  documentRootFieldsMax: 15,
  documentDirectivesMax: 10,
  /** An object read counts one, times the lists around it: a batch of 500 submissions, or 1,000 events with their jobs, has room. */
  operationCostMax: 5_000,

  socketsMax: 2_000,
  subscriptionsPerSocketMax: 20,
  socketInitialiseMsMax: 3_000,
  /** Sockets that have not said who they are: past these, the one that has waited longest makes room. */
  socketsInitialisingMax: 500,
  /** Sockets of one API key. */
  socketsPerKeyMax: 100,
  /** Messages and control frames of one socket, in the long run. */
  socketMessagesPerSecondMax: 50,
  /** As many at once, by a socket that was quiet before: a page that opens its subscriptions. */
  socketMessagesAtOnceMax: 100,
  /** Unsent bytes of one socket or event stream, beyond which nothing more is read for it. */
  socketUnsentBytesMax: 1_048_576,
  /** A reader that takes nothing for this long is closed. */
  slowReaderMsMax: 30_000,

  /** Names of tenants and keys, for people. */
  displayNameCharactersMax: 128,
  keyQueuesMax: 100,

  /** What operators did is told for this long, a quarter of a year, and the latest of it always. */
  operatorActionKeptSecondsMax: 7_776_000,
  /** Of one tenant: past these, the oldest one gives way. */
  operatorActionsMax: 10_000,
  /** What one was about: a filter that is longer is told by the lengths of its lists. */
  operatorActionTargetBytesMax: 4_096,

  redactionRulesMax: 100,
  redactionPathCharactersMax: 256,
  redactionPathKeysMax: 16,
  /** Paths that a job names of those that are hidden in its payload; a list of objects can have thousands. */
  redactedPathsMax: 100,
  redactedPathsCharactersMax: 8_192,

  /** A use of a key is written down this much later at most: once for many uses. */
  keyUseWrittenMsMax: 10_000,
  /** What was revoked, has expired or is suspended ends open feeds, sockets and waiting claims within this time. */
  accessEndsMsMax: 1_000,

  retainFinishedSecondsDefault: 604_800,
  retainDeadSecondsDefault: 7_776_000,
  retainSecondsMax: 315_360_000,

  /** Lapsed leases and due jobs that one claim, or one step of the sweeper, puts right. */
  recoverJobsPerStepMax: 100,
  promoteJobsPerStepMax: 250,
  purgeJobsPerStepMax: 50,
  sweepEveryMsMax: 1_000,
  /** Queues that the metrics page names; the rest are counted together as `other`. */
  metricQueuesMax: 200,
  /** Tenants that it may be asked to name. */
  metricTenantsMax: 200,
  busyWaitMsMax: 5_000,
  /** A read that takes longer is ended: it would keep all that come after it waiting. */
  readMsMax: 5_000,
  /** Long reads that may wait for their turn: one page of queues with their figures is some hundred. */
  readsWaitingMax: 1_000,
  stopMsMax: 10_000,
} as const;

/** Alphanumeric first, then letters, digits and `. _ : -`: safe in a URL, a label and a shell. */
export const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._:-]*$/;
export const TENANT_PATTERN = /^[a-z0-9-]+$/;
/** Printable ASCII without the space. */
export const VISIBLE_ASCII_PATTERN = /^[\x21-\x7e]+$/;
/** Visible characters of any script: no control, format, surrogate, or separating character. */
export const VISIBLE_PATTERN = /^[^\p{C}\p{Z}]+$/u;
