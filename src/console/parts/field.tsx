/** Form fields with their label, help and fault. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly help?: ComponentChildren;
  /** Why the value cannot be taken; null where it can. */
  readonly fault?: string | null | undefined;
  readonly type?: 'text' | 'password' | 'number' | 'datetime-local' | 'search' | undefined;
  readonly isRequired?: boolean | undefined;
  readonly isAutofocused?: boolean | undefined;
  readonly placeholder?: string | undefined;
  readonly autocomplete?: string | undefined;
  /** Lines of a text area; a single line where absent. */
  readonly lines?: number | undefined;
  readonly isCode?: boolean | undefined;
  /** Values to choose from while typing. */
  readonly suggestions?: readonly string[] | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

export function Field({
  label,
  value,
  onInput,
  help,
  fault = null,
  lines,
  suggestions,
  isCode = false,
  isRequired,
  isAutofocused,
  type = 'text',
  ...rest
}: FieldProps) {
  const id = useId();
  // The types of attributes are a union by type of input, of which a variable fits none.
  const oneType: 'text' = type as 'text';
  const given = {
    id,
    value,
    required: isRequired,
    autofocus: isAutofocused,
    class: isCode ? 'input code' : 'input',
    'aria-invalid': fault !== null,
    'aria-describedby': `${id}-help`,
    dir: 'auto' as const,
    spellcheck: false,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) => onInput(currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {lines === undefined ? (
        <input {...given} {...rest} type={oneType} list={suggestions === undefined ? undefined : `${id}-list`} />
      ) : (
        <textarea {...given} rows={lines} placeholder={rest.placeholder} />
      )}
      {suggestions === undefined ? null : (
        <datalist id={`${id}-list`}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      <div id={`${id}-help`} class="field-help">
        {fault === null ? help : <span class="fault">{fault}</span>}
      </div>
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, title: string])[];
  readonly onChoose: (value: Value) => void;
  /** The label is for screen readers only. */
  readonly isBare?: boolean;
}

export function Choice<Value extends string>({ label, value, options, onChoose, isBare = false }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <div class={isBare ? 'field bare' : 'field'}>
      <label for={id} class={isBare ? 'hidden-words' : undefined}>
        {label}
      </label>
      <select id={id} class="input" value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value as Value)}>
        {options.map(([each, title]) => (
          <option key={each} value={each}>
            {title}
          </option>
        ))}
      </select>
    </div>
  );
}

interface TickProps {
  readonly label: ComponentChildren;
  readonly isTicked: boolean;
  readonly onTick: (isTicked: boolean) => void;
}

export function Tick({ label, isTicked, onTick }: TickProps) {
  return (
    <label class="tick">
      <input type="checkbox" checked={isTicked} onChange={({ currentTarget }) => onTick(currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}
