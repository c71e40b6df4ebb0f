/**
 * Redaction: which places of a payload, a result or the details of an error nobody but the worker may see. The rules of
 * a tenant are worked out once into a tree that all paths share, so that a place is looked at once for all of them.
 */
import { isRawNumber } from './json.ts';
import { LIMITS } from './limits.ts';
import { parsePath, printPath } from './redaction-path.ts';

/** Stands where a value was. */
export const REDACTED = '[redacted]';

export interface RedactionRule {
  /** A task, in which `*` stands for any text. */
  readonly task: string;
  readonly path: string;
}
export interface RedactionRules {
  readonly rules: readonly RedactionRule[];
  /** Counts the changes; 0 where nobody set any. */
  readonly version: number;
}

/** A place on the way of some paths. */
interface Place {
  /** A path ends here. */
  isHidden: boolean;
  /** What follows `**`, which is there at every level below. */
  readonly isDeep: boolean;
  readonly keys: Map<string, Place>;
  any: Place | null;
  deep: Place | null;
}
/** Where the walk through a value is in the tree: at several places at once. */
type Places = readonly Place[];
/** What the rules hide in the jobs of one task. */
export type Hidden = Places;

export interface Redaction {
  /** Null where the rules hide nothing in jobs of this task. */
  hiddenIn(task: string): Hidden | null;
}

const TASKS_KNOWN_MAX = 1_000;

/** Null for no rules. Throws where a path is none. */
export function createRedaction(rules: readonly RedactionRule[]): Redaction | null {
  if (rules.length === 0) return null;
  const known = new Map<string, Hidden | null>();
  return {
    hiddenIn(task) {
      const found = known.get(task);
      if (found !== undefined) return found;
      const hidden = hiddenBy(rules.filter((rule) => fitsTask(task, rule.task)));
      if (known.size >= TASKS_KNOWN_MAX) known.clear();
      known.set(task, hidden);
      return hidden;
    },
  };
}

/** Whether the text is the pattern's, in which each `*` stands for any text. */
export function fitsTask(task: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return task === first;
  if (!task.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = task.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return task.length - last.length >= at && task.endsWith(last);
}

const newPlace = (isDeep: boolean): Place => ({ isHidden: false, isDeep, keys: new Map(), any: null, deep: null });

function hiddenBy(rules: readonly RedactionRule[]): Hidden | null {
  if (rules.length === 0) return null;
  const root = newPlace(false);
  for (const { path } of rules) {
    const steps = parsePath(path);
    if (typeof steps === 'string') throw new Error(`a path of a rule must ${steps}`);
    let place = root;
    for (const step of steps) {
      if (step.kind === 'any') place = place.any ??= newPlace(false);
      else if (step.kind === 'deep') place = place.deep ??= newPlace(true);
      else place = keyPlace(place, step.key);
    }
    place.isHidden = true;
  }
  return withDeep(root);
}

function keyPlace({ keys }: Place, key: string): Place {
  const place = keys.get(key) ?? newPlace(false);
  keys.set(key, place);
  return place;
}

/** `**` may stand for no level at all. */
const withDeep = (place: Place): Places => (place.deep === null ? [place] : [place, place.deep]);

function below(places: Places, key: string): Places {
  const found: Place[] = [];
  for (const place of places) {
    const named = place.keys.get(key);
    if (named !== undefined) found.push(...withDeep(named));
    if (place.any !== null) found.push(...withDeep(place.any));
    if (place.isDeep) found.push(place);
  }
  return found;
}

const isHidden = (places: Places): boolean => places.some((place) => place.isHidden);

export function isInner(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isRawNumber(value);
}

/** The value as a reader may see it. Changes what it is given, which must be of nobody else. */
export function withoutHidden(value: unknown, hidden: Hidden): unknown {
  if (isInner(value)) walk(value, hidden, [], (around, key) => void Reflect.set(around, key, REDACTED));
  // Only `**` means a value that is not in an object: of one that is, its members are hidden.
  else if (value !== null && isHidden(hidden)) return REDACTED;
  return value;
}

/** The paths of the values that are hidden, as many as there is room for. */
export function hiddenPaths(value: unknown, hidden: Hidden): readonly string[] {
  const paths: string[] = [];
  let room: number = LIMITS.redactedPathsCharactersMax;
  if (isInner(value))
    walk(value, hidden, [], (_around, _key, keys) => {
      if (paths.length >= LIMITS.redactedPathsMax || room <= 0) return;
      const path = printPath(keys());
      room -= path.length;
      if (room >= 0) paths.push(path);
    });
  return paths;
}

/** Calls `visit` for each hidden place, the outermost only. */
function walk(value: object, places: Places, path: readonly string[], visit: (around: object, key: string, keys: () => readonly string[]) => void): void {
  for (const key of Object.keys(value)) {
    const next = below(places, key);
    if (next.length === 0) continue;
    if (isHidden(next)) {
      visit(value, key, () => [...path, key]);
      continue;
    }
    const child: unknown = Reflect.get(value, key);
    if (isInner(child)) walk(child, next, [...path, key], visit);
  }
}

/** Calls `visit` for each mark at a hidden place or inside one. */
export function visitMarks(value: unknown, hidden: Hidden, visit: (around: object, key: string, keys: readonly string[]) => void): void {
  function look(around: object, key: string, keys: readonly string[]): void {
    const found: unknown = Reflect.get(around, key);
    if (found === REDACTED) visit(around, key, keys);
    else if (isInner(found)) for (const inner of Object.keys(found)) look(found, inner, [...keys, inner]);
  }
  if (isInner(value)) walk(value, hidden, [], (around, key, keys) => look(around, key, keys()));
}
