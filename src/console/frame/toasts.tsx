/** Where what was just done is said. */
import { toasts } from '../api/toasts.ts';

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text }) => (
        <p key={id} class="toast">
          {text}
        </p>
      ))}
    </div>
  );
}
