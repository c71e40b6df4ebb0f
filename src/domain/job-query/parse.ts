/**
 * Reads a query as a person writes it: `queue:billing state:dead,retry tag:customer=42 age>1h sort:oldest`. What the API cannot
 * answer is refused where it stands, never left out: a filter that is wider than it looks would act on the wrong jobs.
 */
import { JOB_STATES, type JobState } from '../job.ts';
import { LIMITS } from '../limits.ts';
import { followsRule, ruleMessage, type TextRule } from '../text.ts';
import { NoQuery, type QueryFault } from './fault.ts';
import { parseMoment, parseSpan } from './moments.ts';
import { type Field, FIELDS, type JobQuery, type ListField, type Side, type Sort, SORTS, subjectOf, type Term, type TimeField } from './query.ts';
import { LIST_RULES, TAG_KEY, TAG_VALUE } from './rules.ts';
import { type Piece, Scanner } from './scan.ts';

export type ParsedQuery = { readonly ok: true; readonly query: JobQuery } | { readonly ok: false; readonly fault: QueryFault };

const COMPARED: readonly Field[] = ['age', 'created', 'finished', 'run'];
const SPANS = ['15m', '1h', '7d'];
const MOMENTS = ['now', 'now-1h', '2026-11-01', '2026-11-01T12:00:00Z'];

export function parseJobQuery(text: string): ParsedQuery {
  try {
    return { ok: true, query: readQuery(new Scanner(text)) };
  } catch (error) {
    if (error instanceof NoQuery) return { ok: false, fault: error.fault };
    throw error;
  }
}

function readQuery(scanner: Scanner): JobQuery {
  const terms: Term[] = [];
  const places = new Map<string, number>();
  let sort: Sort | null = null;
  while (scanner.next()) {
    const at = scanner.at;
    const field = readField(scanner);
    const term = field === 'sort' ? null : readTerm(scanner, field);
    if (term === null) sort = readSort(scanner);
    else terms.push(term);
    notTwice(places, term === null ? 'sort' : subjectOf(term), at);
    notTooMany(terms, at);
    if (scanner.here === ',') throw new NoQuery(scanner.at, 'One value is all that can stand here. Put it in quotes where it holds a comma.');
  }
  return { terms, sort: sort ?? 'newest' };
}

function notTwice(places: Map<string, number>, subject: string, at: number): void {
  const before = places.get(subject);
  if (before === undefined) places.set(subject, at);
  else throw new NoQuery(at, `The same was asked at column ${before + 1} already. Several values of one field go into one term, with commas.`);
}

function notTooMany(terms: readonly Term[], at: number): void {
  if (terms.filter(({ field }) => field === 'tag').length > LIMITS.tagsMax) throw new NoQuery(at, `There may be ${LIMITS.tagsMax} tags at most.`);
}

function readField(scanner: Scanner): Field {
  const at = scanner.at;
  if (scanner.here === '-' || scanner.here === '!') throw new NoQuery(at, 'Nothing can be excluded: name what should match instead.', FIELDS);
  const rest = scanner.rest;
  const word = scanner.word();
  const field = FIELDS.find((each) => each === word.toLowerCase());
  if (field === undefined) throw new NoQuery(at, unknownField(word, rest), FIELDS);
  return readMark(scanner, field);
}

function unknownField(word: string, rest: string): string {
  if (/^(payload|result)\b/i.test(word)) return 'What a payload or a result holds cannot be searched. Tags can: tag:customer=42.';
  if (/^error\b/i.test(word)) return 'Errors cannot be searched here. The dead letters are grouped by them.';
  if (/^(and|or|not)$/i.test(word)) return 'All terms must hold: there is no AND, OR or NOT. Several values of one field go into one term, with commas.';
  return word !== '' && /^[:<>=]/.test(rest.slice(word.length)) ? `There is no field “${word}”.` : 'A term begins with its field, as in queue:billing.';
}

/** Leaves the scanner behind the colon, or before the sign of a comparison. */
function readMark(scanner: Scanner, field: Field): Field {
  const wanted = COMPARED.includes(field) ? ['<', '>'] : [':'];
  if (!wanted.includes(scanner.here)) throw new NoQuery(scanner.at, `“${field}” is followed by ${wanted.join(' or ')}.`, wanted);
  if (scanner.here === ':') scanner.take();
  return field;
}

function readTerm(scanner: Scanner, field: Exclude<Field, 'sort'>): Term {
  switch (field) {
    case 'state':
      return { field, values: distinct(scanner.list().map((piece) => oneOf(piece, JOB_STATES))) };
    case 'tag':
      return readTag(scanner.piece());
    case 'age':
      return readAge(scanner);
    case 'created':
    case 'finished':
    case 'run':
      return readTime(scanner, field);
    default:
      return readList(scanner, field);
  }
}

function readList(scanner: Scanner, field: ListField): Term {
  const at = scanner.at;
  const values = distinct(scanner.list().map((piece) => obeying(piece.text, piece.at, LIST_RULES[field])));
  if (values.length > LIMITS.filterValuesMax) throw new NoQuery(at, `There may be ${LIMITS.filterValuesMax} values at most.`);
  return { field, values };
}

function readTag({ at, text, equalsAt }: Piece): Term {
  const cut = equalsAt === -1 ? text.indexOf('=') : equalsAt;
  if (cut === -1) throw new NoQuery(at, 'A tag has a key and a value, as in tag:customer=42.', ['key=value']);
  return { field: 'tag', key: obeying(text.slice(0, cut), at, TAG_KEY), value: obeying(text.slice(cut + 1), at + cut + 1, TAG_VALUE) };
}

function readAge(scanner: Scanner): Term {
  const side = scanner.take() as Side;
  const { at, text } = scanner.piece();
  const seconds = parseSpan(text);
  if (seconds === null) throw new NoQuery(at, 'An age is a whole number of seconds, minutes, hours or days, up to a hundred years.', SPANS);
  return { field: 'age', side, seconds };
}

function readTime(scanner: Scanner, field: TimeField): Term {
  const side = scanner.take() as Side;
  const { at, text } = scanner.piece();
  const moment = parseMoment(text);
  if (moment === null) throw new NoQuery(at, 'An instant is a day (in UTC), a time with its zone, or now with a length of time.', MOMENTS);
  return { field, side, moment };
}

function readSort(scanner: Scanner): Sort {
  return oneOf(scanner.piece(), SORTS);
}

function oneOf<Word extends JobState | Sort>({ at, text }: Piece, words: readonly Word[]): Word {
  const found = words.find((word) => word === text.toLowerCase());
  if (found === undefined) throw new NoQuery(at, text === '' ? 'A value is missing here.' : 'There is no such value.', words);
  return found;
}

function obeying(text: string, at: number, rule: TextRule): string {
  if (text === '' && rule.min > 0) throw new NoQuery(at, 'A value is missing here.');
  if (!followsRule(text, rule)) throw new NoQuery(at, `This ${ruleMessage(rule)}.`);
  return text;
}

function distinct<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values)];
}
