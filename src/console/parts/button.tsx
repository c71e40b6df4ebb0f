/** Buttons: what they do in words, and whether it is under way. */
import type { ComponentChildren } from 'preact';

interface ButtonProps {
  readonly onPress?: (() => void) | undefined;
  readonly tone?: 'plain' | 'primary' | 'danger' | 'quiet' | undefined;
  readonly isBusy?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
  /** Sends the form that it stands in. */
  readonly isSubmit?: boolean | undefined;
  /** The key that does the same. */
  readonly hint?: string | undefined;
  readonly label?: string | undefined;
  readonly isPressed?: boolean | undefined;
  /** Whether what it opens is open. */
  readonly isExpanded?: boolean | undefined;
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
}

export function Button({
  onPress,
  tone = 'plain',
  isBusy = false,
  isDisabled = false,
  isSubmit = false,
  hint,
  label,
  isPressed,
  isExpanded,
  title,
  children,
}: ButtonProps) {
  return (
    <button
      type={isSubmit ? 'submit' : 'button'}
      class="button"
      data-tone={tone}
      aria-busy={isBusy}
      aria-label={label}
      aria-pressed={isPressed}
      aria-expanded={isExpanded}
      title={title}
      disabled={isDisabled || isBusy}
      onClick={onPress}
    >
      {children}
      {hint === undefined ? null : <kbd aria-hidden="true">{hint}</kbd>}
    </button>
  );
}
