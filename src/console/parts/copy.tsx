/** Text that is meant to be taken elsewhere: shown as it is, copied by a button. */
import { useSignal } from '@preact/signals';
import { systemClock } from '../../runtime/clock.ts';
import { Button } from './button.tsx';

const SHOWN_MS = 2_000;

interface CopyButtonProps {
  readonly text: string;
  readonly what: string;
  /** On the button, where its place does not say what it copies. */
  readonly words?: string;
}

export function CopyButton({ text, what, words = 'Copy' }: CopyButtonProps) {
  const outcome = useSignal<'' | 'Copied' | 'Not copied'>('');
  const copy = async (): Promise<void> => {
    outcome.value = await navigator.clipboard.writeText(text).then(
      () => 'Copied' as const,
      () => 'Not copied' as const,
    );
    await systemClock.sleep(SHOWN_MS);
    outcome.value = '';
  };
  return (
    <Button tone="quiet" onPress={() => void copy()} label={`Copy ${what}`}>
      <span aria-live="polite">{outcome.value === '' ? words : outcome.value}</span>
    </Button>
  );
}

/** A command for a terminal. */
export function Command({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div class="command">
      <pre tabIndex={0} role="group" aria-label={what}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
