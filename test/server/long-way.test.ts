/** The tests of HTTP once more, with the short way closed: both ways are held to the same words. */
import { describe } from 'vitest';
import { ways } from '../support/app.ts';

ways.shortWay = false;

const FILES = {
  http: () => import('./http.test.ts'),
  'graphql-http': () => import('./graphql-http.test.ts'),
  audits: () => import('./audits.test.ts'),
  authenticate: () => import('./authenticate.test.ts'),
  disconnects: () => import('./disconnects.test.ts'),
  shutdown: () => import('./shutdown.test.ts'),
};

describe.each(Object.entries(FILES))('the long way: %s', async (_name, load) => {
  await load();
});
