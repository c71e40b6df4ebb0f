/** A place to type JSON: checked while it is typed, brought into form on demand, every digit kept. */
import type { ComponentChildren } from 'preact';
import { canonicalJson, jsonFault, parseJson, utf8Bytes } from '../../domain/json.ts';
import { LIMITS } from '../../domain/limits.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { bytes } from './words.ts';

export type CheckedJson =
  | { readonly isGood: true; readonly value: unknown; readonly size: number }
  | { readonly isGood: false; readonly fault: string; readonly value?: unknown };

export interface JsonRules {
  readonly bytesMax: number;
  /** Nothing but an object may be there. */
  readonly isObject?: boolean;
}

/** How a value is written into the field. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function parsed(text: string): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    return { fault: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** What the server would say of it, said before it is sent. */
export function checkJson(text: string, { bytesMax, isObject = false }: JsonRules): CheckedJson {
  const read = parsed(text);
  if ('fault' in read) return { isGood: false, fault: read.fault };
  const { value } = read;
  if (isObject && (typeof value !== 'object' || value === null || Array.isArray(value)))
    return { isGood: false, fault: 'It must be a JSON object, such as {"id": 42}.', value };
  const fault = jsonFault(value, LIMITS.jsonDepthMax);
  if (fault !== null) return { isGood: false, fault: `${fault.path.length === 0 ? 'It' : fault.path.join('.')} ${fault.message}.`, value };
  const size = utf8Bytes(canonicalJson(value));
  if (size > bytesMax) return { isGood: false, fault: `It has ${bytes(size)} as JSON without spaces: ${bytes(bytesMax)} at most.`, value };
  return { isGood: true, value, size };
}

interface JsonFieldProps extends JsonRules {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly lines?: number;
  /** Nothing need be typed. */
  readonly isOptional?: boolean;
  /** What the server says of it. */
  readonly fault?: string | null | undefined;
  readonly help?: ComponentChildren;
}

export function JsonField({ label, text, onText, lines = 10, isOptional = false, fault = null, help, ...rules }: JsonFieldProps) {
  const isEmpty = isOptional && text.trim() === '';
  const checked = isEmpty ? null : checkJson(text, rules);
  const isReadable = checked !== null && 'value' in checked;
  const size = checked?.isGood === true ? `${bytes(checked.size)} of ${bytes(rules.bytesMax)}, ${LIMITS.jsonDepthMax} levels at most.` : null;
  return (
    <div class="json-field">
      <Button tone="quiet" isDisabled={!isReadable} onPress={() => isReadable && onText(jsonText(checked.value))}>
        Format
      </Button>
      <Field
        label={label}
        value={text}
        onInput={onText}
        lines={lines}
        isCode
        fault={fault ?? (checked?.isGood === false ? checked.fault : null)}
        help={
          <>
            {size} {help}
          </>
        }
      />
    </div>
  );
}
