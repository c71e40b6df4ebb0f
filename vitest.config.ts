/** How the tests run: files in processes of their own, two at a time, on the project's own Node. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // graphql ships two builds of each module; without this the tests and the dependencies would each load another one.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }] },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/watch-secrets.ts'],
    globalSetup: ['test/support/node-version.ts', 'test/support/built-console.ts'],
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default'],
    // Pages of a browser follow the server at their own pace.
    expect: { poll: { timeout: 8_000 } },
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
