/** Bodies that are no JSON, or JSON that is no request, or a request whose values are meant to hurt. */
import { type Chance, damaged } from './chance.ts';
import { get, GOOD_BODY, post } from './requests.ts';

const nested = (open: string, close: string, depth: number, middle = '1'): string => open.repeat(depth) + middle + close.repeat(depth);

const NUMBERS = [
  '1e999',
  '-1e999',
  '1e-999',
  '-0',
  '00',
  '1.',
  '.5',
  '0x10',
  '9'.repeat(5_000),
  `0.${'0'.repeat(5_000)}1`,
  '9007199254740993',
  'NaN',
  '-',
  '1e+',
];
const TEXTS = ['"\\ud800"', '"\\u0000"', '"\u0001"', '"\\x"', '"unterminated', "'single'", `"${'\\\\'.repeat(1_000)}"`, '"\u202e\ufeff"', '"\\u00"'];
const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', '', 'query', 'a'.repeat(1_000), '\\u0000'];

function value(chance: Chance, depth = 0): string {
  if (depth > 4) return '1';
  return chance.pick<() => string>([
    () => chance.pick(NUMBERS),
    () => chance.pick(TEXTS),
    () => chance.pick(['null', 'true', 'false', 'undefined', '{}', '[]', '"x"', '1']),
    () => nested('[', ']', 1 + chance.below(chance.pick([5, 40, 20_000]))),
    () => nested('{"a":', '}', 1 + chance.below(chance.pick([5, 40, 10_000]))),
    () => `[${chance.some(6, () => value(chance, depth + 1)).join(',')}${chance.percent(10) ? ',' : ''}]`,
    () => `{${chance.some(5, () => `"${chance.pick(NAMES)}":${value(chance, depth + 1)}`).join(',')}}`,
  ])();
}

const SUBMIT =
  'mutation ($input: SubmitJobInput!) { submitJob(input: $input) { __typename ... on SubmitJobSuccess { job { id payload tags { key value } } } } }';
const FIELDS = ['payload', 'task', 'queue', 'tags', 'priority', 'idempotencyKey', 'maxAttempts', 'startAt', 'concurrencyKey', '__proto__', 'unknown'];
const FILTERED = 'query ($filter: JobFilter, $first: Int) { jobs(filter: $filter, first: $first) { nodes { id } pageInfo { endCursor } } }';
const FILTERS = ['queues', 'tasks', 'states', 'tags', 'createdAt', 'workerIds', 'unknown', '__proto__'];

function asked(chance: Chance): string {
  const [query, variables] = chance.pick([
    (): [string, string] => [SUBMIT, `{"input":{"task":"t","${chance.pick(FIELDS)}":${value(chance)}}}`],
    (): [string, string] => [FILTERED, `{"first":${value(chance)},"filter":{"${chance.pick(FILTERS)}":${value(chance)}}}`],
    (): [string, string] => ['query ($a: JSON) { __typename }', value(chance)],
  ])();
  const others = chance.some(2, () => `,"${chance.pick(['extensions', 'operationName', 'query', 'id', ...NAMES])}":${value(chance)}`);
  return `{"query":${JSON.stringify(query)},"variables":${variables}${others.join('')}}`;
}

const WRAPPED = ['\ufeff', ' ', '\n\n', 'while(1);', ")]}',", '/* */', '//\n'];

/** A POST whose body is wrong in some way. */
export function badBody(chance: Chance): Buffer {
  const accept = chance.pick([[], ['accept: application/graphql-response+json'], ['accept: text/event-stream'], ['connection: close']]);
  const body = chance.pick<() => string | Buffer>([
    () => value(chance),
    () => asked(chance),
    () => asked(chance),
    () => chance.pick(WRAPPED) + asked(chance),
    () => damaged(chance, Buffer.from(asked(chance))),
    () => damaged(chance, Buffer.from(GOOD_BODY)),
    () => `[${Array.from({ length: 1 + chance.below(200) }, () => GOOD_BODY).join(',')}]`,
    () => Buffer.from(asked(chance), chance.pick(['utf16le', 'latin1'])),
    () => chance.noise(200),
    () => `{"query":"{ __typename }","query":${value(chance)},"variables":{"a":1,"a":${value(chance)}}}`,
    () => GOOD_BODY + ' '.repeat(chance.pick([131_046, 131_047, 200_000])),
  ])();
  return post({ body, headers: accept });
}

const PART_HEADS = [
  'content-disposition: form-data; name="operations"',
  'content-disposition: form-data; name="0"; filename="../../x"',
  'content-disposition: form-data; name="__proto__"',
  'content-disposition',
  `x: ${'y'.repeat(9_000)}`,
  '',
];

export function multipart(chance: Chance): Buffer {
  const boundary = chance.pick(['x', '', '"', 'x'.repeat(500), 'a b', '\u00e9']);
  const parts = chance.some(5, () => `--${boundary}\r\n${chance.pick(PART_HEADS)}\r\n\r\n${chance.pick([GOOD_BODY, '', '{"0":["variables.file"]}'])}\r\n`);
  const type = chance.pick([
    `multipart/form-data; boundary=${boundary}`,
    'multipart/form-data',
    'multipart/mixed; boundary=-',
    'application/x-www-form-urlencoded',
  ]);
  return post({ body: `${parts.join('')}--${boundary}--`, type });
}

export function badQuery(chance: Chance): Buffer {
  const escape = chance.pick<(text: string) => string>([encodeURIComponent, (text) => text.replaceAll(' ', '+'), (text) => text.slice(0, 1_000)]);
  const parameters = chance.some(5, () => {
    const name = chance.pick(['query', 'variables', 'extensions', 'operationName', 'token', 'a[b]', '%', ...NAMES]);
    return `${name}=${chance.pick([() => '{__typename}', () => safely(escape, value(chance)), () => '%ff%fe', () => '%', () => ''])()}`;
  });
  const address = `/graphql?${parameters.join(chance.pick(['&', ';', '&&', '?']))}`;
  return get(
    address.replaceAll(/[\r\n]/g, '').slice(0, chance.pick([200, 8_192, 12_000])),
    chance.pick([[], ['accept: text/event-stream'], ['accept: text/html']]),
  );
}

/** A lone surrogate has no form in UTF-8. */
const safely = (escape: (text: string) => string, text: string): string => escape(text.toWellFormed());
