/** What a form begins with: the job that the address names to be like, or the queue and task that it names. */
import type { JobContentQuery, JobPageQuery } from '../../../client/index.ts';
import { JobContentDocument, JobPageDocument } from '../../../client/generated/graphql.ts';
import { lq } from '../../api/session.ts';
import { jsonText } from '../../parts/json-field.tsx';
import { EMPTY_FORM, type SubmitForm } from './form.ts';

export interface Beginning {
  readonly form: SubmitForm;
  /** What of the other job could not be taken over, in words; null where all was, or there is none. */
  readonly lack: string | null;
}

type Original = NonNullable<JobPageQuery['job']>;
type Content = JobContentQuery['job'];

/** Its settings as they are now; neither its key nor its time, which were for it alone. */
function formLike(job: Original, content: Content): SubmitForm {
  return {
    ...EMPTY_FORM,
    queue: job.queueName,
    task: job.task,
    payload: content?.payload == null ? EMPTY_FORM.payload : jsonText(content.payload),
    priority: String(job.priority),
    maxAttempts: String(job.maxAttempts),
    retryBaseSeconds: String(job.retryBaseSeconds),
    retryMaxSeconds: String(job.retryMaxSeconds),
    concurrencyKey: job.concurrencyKey ?? '',
    tags: job.tags.map(({ key, value }) => `${key}=${value}`).join('\n'),
  };
}

export async function beginLike(id: string, signal: AbortSignal): Promise<Beginning> {
  const rules = { isRepeatable: true, signal };
  const { caller } = lq.value;
  const [{ job }, { job: content }] = await Promise.all([caller.call(JobPageDocument, { id }, rules), caller.call(JobContentDocument, { id }, rules)]);
  if (job === null) return { form: EMPTY_FORM, lack: 'There is no job of this id any more: nothing could be taken over.' };
  const lack = content?.payloadRedacted === true ? 'Its payload is kept from your key, which lacks the scope PAYLOADS: write one of your own.' : null;
  return { form: formLike(job, content), lack };
}

export function beginWith(search: URLSearchParams): Beginning {
  return { form: { ...EMPTY_FORM, queue: search.get('queue') ?? EMPTY_FORM.queue, task: search.get('task') ?? '' }, lack: null };
}
