/** A JSON value as a tree: digits as they came, text never interpreted, large values opened bit by bit. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { canonicalJson, isRawNumber } from '../../domain/json.ts';
import { Button } from './button.tsx';

const ITEMS_AT_ONCE = 100;
const TEXT_CHARACTERS = 300;
const OPEN_LEVELS = 2;

export function JsonView({ value }: { readonly value: unknown }) {
  return (
    <div class="json" tabIndex={0} role="group" aria-label="Value">
      <Node value={value} level={0} />
    </div>
  );
}

function Node({ value, level }: { readonly value: unknown; readonly level: number }) {
  if (typeof value === 'string') return <Text text={value} />;
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return <span class="json-word">{canonicalJson(value)}</span>;
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) return <span class="json-mark">{`${open}${close}`}</span>;
  return (
    <Branch open={open} close={close} size={`${entries.length} ${isList ? 'items' : entries.length === 1 ? 'key' : 'keys'}`} isOpen={level < OPEN_LEVELS}>
      {() => <Entries entries={entries} isList={isList} level={level} />}
    </Branch>
  );
}

interface BranchProps {
  readonly open: string;
  readonly close: string;
  readonly size: string;
  readonly isOpen: boolean;
  /** Made when it is opened. */
  readonly children: () => ComponentChildren;
}

function Branch({ open, close, size, isOpen, children }: BranchProps) {
  const isShown = useSignal(isOpen);
  return (
    <>
      <button type="button" class="json-fold" aria-expanded={isShown.value} onClick={() => (isShown.value = !isShown.value)}>
        <span aria-hidden="true">{isShown.value ? '▾' : '▸'}</span> {open}
        {isShown.value ? null : (
          <span class="muted">
            {' '}
            {size} {close}
          </span>
        )}
      </button>
      {isShown.value ? (
        <>
          {children()}
          <span class="json-mark">{close}</span>
        </>
      ) : null}
    </>
  );
}

function Entries({ entries, isList, level }: { readonly entries: readonly [string, unknown][]; readonly isList: boolean; readonly level: number }) {
  const shown = useSignal(ITEMS_AT_ONCE);
  return (
    <ul class="json-entries">
      {entries.slice(0, shown.value).map(([key, value]) => (
        <li key={key}>
          {isList ? null : (
            <>
              <bdi class="json-key">{key}</bdi>
              <span class="json-mark">: </span>
            </>
          )}
          <Node value={value} level={level + 1} />
        </li>
      ))}
      {entries.length > shown.value ? (
        <li>
          <Button tone="quiet" onPress={() => (shown.value += ITEMS_AT_ONCE)}>
            {`Show ${Math.min(ITEMS_AT_ONCE, entries.length - shown.value)} more of ${entries.length}`}
          </Button>
        </li>
      ) : null}
    </ul>
  );
}

function Text({ text }: { readonly text: string }) {
  const isWhole = useSignal(text.length <= TEXT_CHARACTERS);
  return (
    <>
      <bdi class="json-text">{JSON.stringify(isWhole.value ? text : text.slice(0, TEXT_CHARACTERS))}</bdi>
      {isWhole.value ? null : (
        <Button tone="quiet" onPress={() => (isWhole.value = true)}>
          {`Show all ${text.length} characters`}
        </Button>
      )}
    </>
  );
}
