/** How the played worker answers: with a result, with a failure, or by handing the job back. */
import { useSignal } from '@preact/signals';
import { LIMITS } from '../../../domain/limits.ts';
import { Button } from '../../parts/button.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { checkJson, JsonField } from '../../parts/json-field.tsx';
import { Trouble } from '../../parts/notice.tsx';
import { Panel } from '../../parts/screen.tsx';
import { wholeFault } from '../../parts/whole.ts';
import type { PlayedWorker } from './use-worker.ts';

export function SettleForm({ worker }: { readonly worker: PlayedWorker }) {
  return (
    <>
      <CompleteForm worker={worker} />
      <FailForm worker={worker} />
      <Panel title="Hand it back">
        <div class="stack">
          <p class="muted">The attempt does not count, and the job keeps its place in line.</p>
          {worker.release.error === null ? null : <Trouble error={worker.release.error} what="Handing back" isChange />}
          <div class="row">
            <Button isBusy={worker.release.isBusy} onPress={() => void worker.release.start()}>
              Release
            </Button>
          </div>
        </div>
      </Panel>
    </>
  );
}

const RESULT_RULES = { bytesMax: LIMITS.resultBytesMax } as const;

function CompleteForm({ worker: { complete } }: { readonly worker: PlayedWorker }) {
  const result = useSignal('');
  const isEmpty = result.value.trim() === '';
  const checked = isEmpty ? null : checkJson(result.value, RESULT_RULES);
  const isFaulty = checked?.isGood === false;
  const send = (event: Event): void => {
    event.preventDefault();
    if (!isFaulty) void complete.start(checked?.isGood === true ? checked.value : null);
  };
  return (
    <Panel title="It worked">
      <form class="stack" onSubmit={send} noValidate>
        <JsonField
          label="Result"
          text={result.value}
          onText={(text) => (result.value = text)}
          lines={3}
          isOptional
          {...RESULT_RULES}
          help="Any JSON, or nothing"
        />
        {complete.error === null ? null : <Trouble error={complete.error} what="Completing" isChange />}
        <div class="row">
          <Button isSubmit tone="primary" isBusy={complete.isBusy} isDisabled={isFaulty}>
            Complete
          </Button>
        </div>
      </form>
    </Panel>
  );
}

const RETRIES = [
  ['default', 'As the job says'],
  ['after', 'After some seconds'],
  ['never', 'Never: a dead letter at once'],
] as const;
type RetryWay = (typeof RETRIES)[number][0];

function FailForm({ worker: { fail } }: { readonly worker: PlayedWorker }) {
  const type = useSignal('');
  const message = useSignal('');
  const way = useSignal<RetryWay>('default');
  const after = useSignal('');
  const afterFault = way.value === 'after' ? (after.value.trim() === '' ? 'is needed' : wholeFault(after.value, 0, LIMITS.afterSecondsMax)) : null;
  const send = (event: Event): void => {
    event.preventDefault();
    if (afterFault !== null) return;
    const retry = way.value === 'never' ? { never: true } : way.value === 'after' ? { afterSeconds: Number(after.value) } : null;
    void fail.start({ type: type.value || null, message: message.value }, retry);
  };
  return (
    <Panel title="It failed">
      <form class="stack" onSubmit={send} noValidate>
        <div class="field-row">
          <Field label="Error type" value={type.value} onInput={(text) => (type.value = text)} placeholder="TimeoutError" />
          <Choice label="Try again" value={way.value} options={RETRIES} onChoose={(chosen) => (way.value = chosen)} />
          {way.value === 'after' ? (
            <Field
              label="Seconds"
              value={after.value}
              onInput={(text) => (after.value = text)}
              fault={after.value === '' ? null : afterFault}
              help={`0 to ${LIMITS.afterSecondsMax}`}
            />
          ) : null}
        </div>
        <Field label="Message" value={message.value} onInput={(text) => (message.value = text)} lines={2} />
        {fail.error === null ? null : <Trouble error={fail.error} what="Reporting the failure" isChange />}
        <div class="row">
          <Button isSubmit tone="danger" isBusy={fail.isBusy} isDisabled={afterFault !== null}>
            Fail
          </Button>
        </div>
      </form>
    </Panel>
  );
}
