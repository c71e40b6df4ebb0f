/** Ctrl-K: do anything by typing its name. */
import { useSignal } from '@preact/signals';
import { Dialog } from '../parts/dialog.tsx';
import { commandsFor, type PaletteCommand } from './commands.ts';

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const text = useSignal('');
  const at = useSignal(0);
  const found = commandsFor(text.value);
  const run = (command: PaletteCommand | undefined): void => {
    onClose();
    command?.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by !== 0) at.value = (at.value + by + found.length) % Math.max(1, found.length);
    else if (event.key === 'Enter') run(found[at.value]);
    else return;
    event.preventDefault();
  };
  const type = (value: string): void => {
    text.value = value;
    at.value = 0;
  };
  return (
    <Dialog title="Do anything" onClose={onClose}>
      <input
        class="input"
        role="combobox"
        aria-label="What to do"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={`palette-${at.value}`}
        placeholder="A screen, a setting, a job's id, or words to find jobs by"
        value={text.value}
        autofocus
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <ul class="palette" id="palette-list" role="listbox" aria-label="What can be done">
        {found.map((command, index) => (
          <li
            key={command.title}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at.value}
            onClick={() => run(command)}
            onMouseMove={() => (at.value = index)}
          >
            {command.title}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
