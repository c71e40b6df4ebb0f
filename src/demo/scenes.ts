/** What the demo's company does all day: queues with tasks that take their time and sometimes go wrong. */

export interface Scene {
  readonly queue: string;
  readonly task: string;
  /** Jobs a minute. */
  readonly perMinute: number;
  readonly workers: number;
  readonly workMs: readonly [least: number, most: number];
  readonly leaseSeconds: number;
  readonly maxAttempts: number;
  /** Share of attempts that end with this error. */
  readonly failureRatio: number;
  readonly failure: { readonly type: string; readonly message: string };
  /** Share of attempts whose worker vanishes without a word. */
  readonly vanishRatio: number;
  payload(number: number): Record<string, unknown>;
}

export const SCENES: readonly Scene[] = [
  {
    queue: 'billing',
    task: 'invoice.generate',
    perMinute: 40,
    workers: 3,
    workMs: [400, 1800],
    leaseSeconds: 15,
    maxAttempts: 4,
    failureRatio: 0.15,
    failure: { type: 'RenderError', message: 'The PDF renderer ran out of memory.' },
    vanishRatio: 0.04,
    payload: (number) => ({ invoiceId: `INV-${10_000 + number}`, format: number % 3 === 0 ? 'xml' : 'pdf' }),
  },
  {
    queue: 'email',
    task: 'email.send',
    perMinute: 150,
    workers: 4,
    workMs: [80, 500],
    leaseSeconds: 10,
    maxAttempts: 3,
    failureRatio: 0.3,
    failure: { type: 'SmtpError', message: '451 4.7.1 Greylisted, please try again later.' },
    vanishRatio: 0.01,
    payload: (number) => ({ to: `customer-${number % 900}@example.com`, template: ['welcome', 'receipt', 'reminder'][number % 3] }),
  },
  {
    queue: 'reports',
    task: 'report.nightly',
    perMinute: 6,
    workers: 1,
    workMs: [4_000, 9_000],
    leaseSeconds: 12,
    maxAttempts: 2,
    failureRatio: 0.2,
    failure: { type: 'QueryTimeout', message: 'The warehouse did not answer within 30 s.' },
    vanishRatio: 0.1,
    payload: (number) => ({ report: ['revenue', 'churn', 'inventory'][number % 3], day: 1 + (number % 28) }),
  },
];
