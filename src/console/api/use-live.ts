/** A subscription of a screen: open while the screen is, and while somebody can see it. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { socket, subscribe } from './socket.ts';
import { isVisible } from './time.ts';

type Operation<Data, Variables> = Parameters<typeof subscribe<Data, Variables & Record<string, unknown>>>[0];

/**
 * Calls `onData` with each message. `variables` null follows nothing; another text of them is another subscription, and so is another
 * `round`, for whoever moved on in `variables` and goes back: until the page is drawn again, messages of the one before may come.
 * Answers why the server refuses it, or null.
 */
export function useLive<Data, Variables extends Record<string, unknown>>(
  operation: Operation<Data, Variables>,
  variables: Variables | null,
  onData: (data: Data, variables: Variables, round: number) => void,
  round = 0,
): string | null {
  const refusal = useSignal<string | null>(null);
  const latest = useRef(onData);
  latest.current = onData;
  const isSeen = isVisible.value;
  const text = variables === null ? null : JSON.stringify(variables);

  useEffect(() => {
    if (text === null || !isSeen) return;
    const given = JSON.parse(text) as Variables;
    refusal.value = null;
    const leave = subscribe(
      operation,
      given,
      (data) => latest.current(data, given, round),
      ([first]) => {
        refusal.value = first?.message ?? 'The server refused it without a reason.';
      },
    );
    return leave;
  }, [operation, text, round, isSeen, socket.value]);
  return refusal.value;
}
