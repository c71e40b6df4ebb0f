/**
 * What a field states beside its type, as `extensions`: the scope it needs, the scope without which it stays empty, and
 * what it costs. Spread several into one field. The published schema, its descriptions and the demands of operations
 * are all made from these statements.
 */
import { type Scope, SCOPES } from '../domain/access.ts';
import { LIMITS } from '../domain/limits.ts';

/**
 * How many items an argument asks for. The places are arguments, or fields inside them (`input.jobs`): a number counts
 * as itself, a list by its length, and the first place that was given says it. More than `max` is refused elsewhere, and
 * counts as `max` here.
 */
export interface Count {
  readonly places: readonly string[];
  readonly max: number;
}

/** A statement as it is put into a field's `extensions`. */
interface Statement {
  readonly needs?: readonly Scope[];
  readonly redactedWithout?: Scope;
  readonly weight?: number;
  readonly each?: readonly Count[];
  readonly items?: Count | 'few';
}
/** What has `extensions`, such as a field of a schema. */
export interface Stating {
  readonly extensions: Readonly<Record<string | symbol, unknown>>;
}

/** The field needs any of the scopes. None at all: whoever is signed in may ask. */
export const needs = (...anyOf: readonly Scope[]): Pick<Statement, 'needs'> => ({ needs: anyOf });

/** The field is null without the scope. */
export const redactedWithout = (scope: Scope): Pick<Statement, 'redactedWithout'> => ({ redactedWithout: scope });

/** The field costs this much. Unstated: 1 where it answers objects or stands at the root, else 0. */
export const weighs = (weight: number): Pick<Statement, 'weight'> => ({ weight });

/** The field costs one more for each item that its arguments ask for, whatever is selected of the answer. */
export const costsEach = (...each: readonly Count[]): Pick<Statement, 'each'> => ({ each });

export const count = (max: number, ...places: readonly string[]): Count => ({ places, max });

/** The field is a list of as many items as an argument of the field above it says, or its own where it stands at the root. */
export const listOf = (items: Count): Pick<Statement, 'items'> => ({ items });

/** The field is a list of a page, as large as `first` or `last` of the field above it says. */
export const pageItems = (): Pick<Statement, 'items'> => listOf(count(LIMITS.pageItemsMax, 'last', 'first'));

/** The field is a list that is read together with what it stands on, or that its weight pays for: it counts as one object. */
export const fewItems = (): Pick<Statement, 'items'> => ({ items: 'few' });

/** What costs more than a row: of the same size as the rows that the store looks at for it, which is a rough measure. */
export const WEIGHTS = {
  /** A search for a page, before its first row. */
  list: 10,
  /** Counters, rates and the oldest due job of one queue: three reads. */
  queueFigures: 10,
  /** A look at all queues or all workers of a tenant. */
  tenantFigures: 50,
  /** Up to some thousand rows, added up where they are. */
  series: 50,
  /** All keys of a tenant. */
  keys: 200,
  /** Up to 30,000 jobs looked through. */
  count: 100,
} as const;

const isScope = (value: unknown): value is Scope => SCOPES.some((scope) => scope === value);
const isCount = (value: unknown): value is Count => typeof value === 'object' && value !== null && 'places' in value && 'max' in value;

/** Null where the field states no needs. */
export function needsOf({ extensions }: Stating): readonly Scope[] | null {
  const { needs: stated } = extensions;
  return Array.isArray(stated) ? stated.filter(isScope) : null;
}

/** Null for a field that shows the same to everybody. */
export function redactionOf({ extensions }: Stating): Scope | null {
  const { redactedWithout: stated } = extensions;
  return isScope(stated) ? stated : null;
}

export function weightOf({ extensions }: Stating): number | null {
  const { weight } = extensions;
  return typeof weight === 'number' ? weight : null;
}

export function eachOf({ extensions }: Stating): readonly Count[] {
  const { each } = extensions;
  return Array.isArray(each) ? each.filter(isCount) : [];
}

/** Null where the field states nothing about its items. */
export function itemsOf({ extensions }: Stating): Count | 'few' | null {
  const { items } = extensions;
  return items === 'few' || isCount(items) ? items : null;
}
