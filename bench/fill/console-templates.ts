/** One job of each kind in every queue, made by the server as jobs are made: what is copied afterwards is right in itself. */
import { CLAIM, COMPLETE, SUBMIT_MANY } from '../load/documents.ts';
import { GraphqlClient, must, type Typed } from '../load/graphql-client.ts';
import { startServer } from '../server/server-process.ts';
import { hasRareJobs, type Kind, type Place, RARE_TAG, RARE_TASK, TAG } from './console-shape.ts';

const FAIL = 'mutation Fail($input: FailJobInput!) { failJob(input: $input) { __typename ... on Failure { code message } } }';
const CANCEL = 'mutation Cancel($input: CancelJobInput!) { cancelJob(input: $input) { __typename ... on Failure { code message } } }';
const HOUR_SECONDS = 3_600;
const FAR_SECONDS = 2_592_000;
const PLACES_AT_ONCE = 8;

interface Lease {
  readonly leaseToken: string;
  readonly job: { readonly id: string; readonly payload: { readonly kind: Kind } };
}
type Call = <Result>(field: string, document: string, input: object) => Promise<Result>;

/** The kind of a job stands in its payload. */
export async function makeTemplates(database: string, places: readonly Place[]): Promise<void> {
  await using server = await startServer({ program: 'compiled', database, probed: false });
  const client = new GraphqlClient(server.url);
  const left = [...places];
  const lane = async (): Promise<void> => {
    for (let place = left.shift(); place !== undefined; place = left.shift()) await makeIn(client, place);
  };
  await Promise.all(Array.from({ length: PLACES_AT_ONCE }, lane));
  client.close();
}

async function makeIn(client: GraphqlClient, place: Place): Promise<void> {
  const call: Call = (field, document, input) => client.call(field, document, { input }, place.tenant);
  const { queue } = place;
  const claimed: readonly Kind[] = ['done', 'tagged', 'retry', 'dead', 'running', ...(hasRareJobs(place) ? (['rareTask', 'rareTag'] as const) : [])];
  const job = (kind: Kind, more: object = {}) => ({ queue, task: taskOf(kind), payload: { kind, order: 4711 }, ...more });
  const first = claimed.map((kind) => job(kind, { priority: 100, tags: tagsOf(kind, queue), ...(kind === 'dead' && { maxAttempts: 1 }) }));
  const others = [job('due'), job('delayed', { start: { inSeconds: FAR_SECONDS } }), job('cancelled')];
  const { results } = await call<{ readonly results: readonly { readonly job: { readonly id: string } }[] }>('submitJobs', SUBMIT_MANY, {
    jobs: [...first, ...others],
  });
  const claim = { queues: [queue], workerId: 'template', max: claimed.length, leaseSeconds: HOUR_SECONDS };
  const { leases } = await call<{ readonly leases: readonly Lease[] }>('claimJobs', CLAIM, claim);
  if (leases.length !== claimed.length) throw new Error(`${leases.length} templates were claimed in ${queue}`);
  for (const lease of leases) await settle(call, lease, queue);
  must('CancelJobSuccess', await call<Typed>('cancelJob', CANCEL, { id: results.at(-1)?.job.id }));
}

function taskOf(kind: Kind): string {
  if (kind === 'rareTask') return RARE_TASK;
  return kind === 'tagged' || kind === 'delayed' ? 'export' : 'send';
}

function tagsOf(kind: Kind, queue: string): readonly { readonly key: string; readonly value: string }[] {
  if (kind === 'rareTag') return [{ key: TAG, value: RARE_TAG }];
  return kind === 'tagged' ? [{ key: TAG, value: queue }] : [];
}

async function settle(call: Call, { leaseToken, job }: Lease, queue: string): Promise<void> {
  const { kind } = job.payload;
  const held = { jobId: job.id, leaseToken };
  if (kind === 'running') return;
  if (kind !== 'retry' && kind !== 'dead') {
    const { results } = await call<{ readonly results: readonly Typed[] }>('completeJobs', COMPLETE, { jobs: [held] });
    return must('CompleteJobSuccess', results[0]);
  }
  const retry = kind === 'retry' ? { retry: { afterSeconds: 86_400 } } : {};
  must(
    'FailJobSuccess',
    await call<Typed>('failJob', FAIL, { ...held, ...retry, error: { type: 'Timeout', message: `no answer from the service of ${queue}` } }),
  );
}
