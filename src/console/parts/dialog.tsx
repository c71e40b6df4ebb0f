/** A question in front of the screen. The keyboard stays in it, Escape leaves it, and the focus returns where it was. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const place = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    place.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog ref={place} class={isWide ? 'dialog wide' : 'dialog'} aria-labelledby={id} onClose={onClose}>
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button tone="quiet" onPress={onClose} label="Close">
          ✕
        </Button>
      </header>
      {children}
    </dialog>
  );
}

/** The row of buttons that ends a dialog's form. */
export function DialogActions({ children }: { readonly children: ComponentChildren }) {
  return <div class="dialog-actions">{children}</div>;
}
