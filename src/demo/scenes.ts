/** What the demo's company does all day: queues with tasks that take their time and sometimes go wrong. */

export interface Failure {
  readonly type: string;
  message(number: number): string;
}

export interface Scene {
  readonly queue: string;
  readonly task: string;
  /** Jobs a minute. */
  readonly perMinute: number;
  readonly workers: number;
  readonly workMs: readonly [least: number, most: number];
  readonly leaseSeconds: number;
  readonly maxAttempts: number;
  /** Share of attempts that end with one of the failures. */
  readonly failureRatio: number;
  readonly failures: readonly Failure[];
  /** Share of attempts whose worker vanishes without a word. */
  readonly vanishRatio: number;
  payload(number: number): Record<string, unknown>;
  tags(number: number): readonly { readonly key: string; readonly value: string }[];
}

const customer = (number: number): readonly { readonly key: string; readonly value: string }[] => [{ key: 'customer', value: String(100 + (number % 900)) }];

export const SCENES: readonly Scene[] = [
  {
    queue: 'billing',
    task: 'invoice.generate',
    perMinute: 24,
    workers: 3,
    workMs: [400, 1800],
    leaseSeconds: 15,
    maxAttempts: 4,
    failureRatio: 0.15,
    failures: [
      { type: 'RenderError', message: (number) => `The PDF renderer ran out of memory after ${180 + (number % 70)} pages.` },
      { type: 'UpstreamError', message: (number) => `503 from the tax service, request ${(number * 7_919).toString(16)}` },
    ],
    vanishRatio: 0.04,
    payload: (number) => ({ invoiceId: `INV-${10_000 + number}`, format: number % 3 === 0 ? 'xml' : 'pdf', lines: 1 + (number % 12) }),
    tags: customer,
  },
  {
    queue: 'email',
    task: 'email.send',
    perMinute: 60,
    workers: 4,
    workMs: [80, 500],
    leaseSeconds: 10,
    maxAttempts: 3,
    failureRatio: 0.3,
    failures: [
      { type: 'SmtpError', message: () => '451 4.7.1 Greylisted, please try again later.' },
      { type: 'SmtpError', message: (number) => `421 too many connections from 192.0.2.${number % 250}` },
    ],
    vanishRatio: 0.01,
    payload: (number) => ({ to: `customer-${number % 900}@example.com`, template: ['welcome', 'receipt', 'reminder'][number % 3] }),
    tags: customer,
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
    failures: [{ type: 'QueryTimeout', message: (number) => `The warehouse did not answer query ${number} within 30 s.` }],
    vanishRatio: 0.1,
    payload: (number) => ({ report: ['revenue', 'churn', 'inventory'][number % 3], day: 1 + (number % 28) }),
    tags: () => [],
  },
  {
    queue: 'images',
    task: 'thumbnail.create',
    perMinute: 40,
    workers: 2,
    workMs: [150, 700],
    leaseSeconds: 20,
    maxAttempts: 5,
    failureRatio: 0.03,
    failures: [{ type: 'DecodeError', message: (number) => `Not a picture: "upload-${number}.heic"` }],
    vanishRatio: 0,
    payload: (number) => ({ source: `s3://uploads/${number}.jpg`, sizes: [64, 256, 1024] }),
    tags: () => [],
  },
  {
    queue: 'webhooks',
    task: 'webhook.deliver',
    perMinute: 30,
    workers: 2,
    workMs: [60, 900],
    leaseSeconds: 30,
    maxAttempts: 4,
    failureRatio: 0.12,
    failures: [
      { type: 'HttpError', message: (number) => `https://shop-${number % 40}.example.net/hook answered 500` },
      { type: 'HttpError', message: () => 'certificate has expired' },
    ],
    vanishRatio: 0.005,
    payload: (number) => ({ event: ['order.paid', 'order.shipped'][number % 2], orderId: 500_000 + number }),
    tags: (number) => [{ key: 'shop', value: String(number % 40) }],
  },
  {
    queue: 'search',
    task: 'index.update',
    perMinute: 15,
    workers: 1,
    workMs: [200, 600],
    leaseSeconds: 30,
    maxAttempts: 3,
    failureRatio: 0,
    failures: [],
    vanishRatio: 0,
    payload: (number) => ({ document: `product-${number % 5_000}` }),
    tags: () => [],
  },
];
