/** Listens for single keys where nobody is typing, and for pairs such as `g q`. The latest listener of a key has it. */
import { useEffect, useRef } from 'preact/hooks';
import { preferences } from '../api/preferences.ts';

type Listener = () => void;

/** How long the first key of a pair waits for the second. */
const PAIR_MS = 1_500;

const listeners = new Map<string, Listener[]>();
let first: { readonly key: string; readonly atMs: number } | null = null;

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox';
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

function keyOf({ key, ctrlKey, metaKey }: KeyboardEvent): string {
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'k') return 'Ctrl-K';
  return key === 'Escape' ? 'Esc' : key;
}

/** The name under which a key is listened for: its own, or a pair with the one before. */
function pressed(event: KeyboardEvent): string {
  const key = keyOf(event);
  const before = first !== null && event.timeStamp - first.atMs < PAIR_MS ? first.key : null;
  first = before === null && key === 'g' ? { key, atMs: event.timeStamp } : null;
  return before === null ? key : `${before} ${key}`;
}

addEventListener('keydown', (event) => {
  const isWithModifier = event.altKey || ((event.ctrlKey || event.metaKey) && keyOf(event) !== 'Ctrl-K');
  const isOff = !preferences.value.hasKeys && keyOf(event) !== 'Ctrl-K';
  if (event.defaultPrevented || isWithModifier || isOff || document.querySelector('dialog[open]') !== null) return;
  if (isTyping(event.target)) {
    if (event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur();
    if (keyOf(event) !== 'Ctrl-K') return;
  }
  const listener = listeners.get(pressed(event))?.at(-1);
  if (listener === undefined) return;
  event.preventDefault();
  listener();
});

/** While the component is there, the key is its own. Null leaves the key to others. */
export function useKey(key: string, listener: Listener | null): void {
  const latest = useRef(listener);
  latest.current = listener;
  const isOn = listener !== null;
  useEffect(() => {
    if (!isOn) return;
    const own: Listener = () => latest.current?.();
    listeners.set(key, [...(listeners.get(key) ?? []), own]);
    return () => {
      listeners.set(
        key,
        (listeners.get(key) ?? []).filter((each) => each !== own),
      );
    };
  }, [key, isOn]);
}
