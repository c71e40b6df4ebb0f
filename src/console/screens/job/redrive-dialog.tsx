/** Puts a dead letter back into its queue: when, with how many attempts, and with another payload where the old one was the fault. */
import { useSignal } from '@preact/signals';
import { unwrap } from '../../../client/index.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { can, lq } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Field, Tick } from '../../parts/field.tsx';
import { checkJson, JsonField, jsonText } from '../../parts/json-field.tsx';
import { AT_ONCE, startFault, StartField, startInput } from '../../parts/start-field.tsx';
import { wholeFault, wholeOf } from '../../parts/whole.ts';
import type { JobContent } from './content.tsx';
import { type AboutJob, JobDialog } from './job-dialog.tsx';

const RULES = { bytesMax: LIMITS.payloadBytesMax, isObject: true } as const;

export function RedriveDialog({ content, ...about }: AboutJob & { readonly content: JobContent }) {
  const { id, maxAttempts } = about.job;
  const start = useSignal(AT_ONCE);
  const attempts = useSignal('');
  /** Null: the payload stays. */
  const payload = useSignal<string | null>(null);
  const checked = payload.value === null ? null : checkJson(payload.value, RULES);
  const attemptsFault = wholeFault(attempts.value, LIMITS.maxAttemptsMin, LIMITS.maxAttemptsMax);
  const action = useAction(async () => {
    const changed = checked?.isGood === true ? { payload: checked.value as Record<string, unknown> } : {};
    unwrap(await lq.value.redriveJob({ id, start: startInput(start.value), maxAttempts: wholeOf(attempts.value), ...changed }));
    return 'The job is back in its queue.';
  });
  const isFaulty = attemptsFault !== null || startFault(start.value) !== null || checked?.isGood === false;
  return (
    <JobDialog {...about} name="redrive" title="Redrive the job" words="Redrive the job" action={action} isFaulty={isFaulty} isWide={payload.value !== null}>
      <p>It waits in its queue again, under the same id, and its attempts start over. Its history stays.</p>
      <StartField start={start.value} onStart={(chosen) => (start.value = chosen)} />
      <Field
        label="Attempts"
        value={attempts.value}
        onInput={(text) => (attempts.value = text)}
        placeholder={String(maxAttempts)}
        fault={attemptsFault}
        help={`The new budget, ${LIMITS.maxAttemptsMin} to ${LIMITS.maxAttemptsMax}. Empty keeps ${maxAttempts}.`}
      />
      <PayloadEdit content={content} text={payload.value} onText={(text) => (payload.value = text)} />
    </JobDialog>
  );
}

interface PayloadEditProps {
  readonly content: JobContent;
  readonly text: string | null;
  readonly onText: (text: string | null) => void;
}

/** Only whoever may see a payload can change it here: nobody should overwrite what they cannot read. */
function PayloadEdit({ content, text, onText }: PayloadEditProps) {
  if (!can('PAYLOADS') || content?.payload == null) return null;
  const { payload } = content;
  return (
    <>
      <Tick label="Change the payload" isTicked={text !== null} onTick={(isTicked) => onText(isTicked ? jsonText(payload) : null)} />
      {text === null ? null : (
        <JsonField label="Payload" text={text} onText={onText} {...RULES} help="It replaces the payload for good. Long numbers keep every digit." />
      )}
    </>
  );
}
