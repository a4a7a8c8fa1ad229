import { defineConfig } from 'vitest/config'

// Rings by cost. `unit` and `web`: no process, no database. `postgres`: the private PostgreSQL itself, as processes start
// and kill it. `door`: real HTTP on a real PostgreSQL.
// `browser`: real Chromium against a real service. scripts/test.mjs runs the first three together, then each of the others.
// `chaos` stands apart: minutes of crashes, faults and load, by npm run test:chaos.
export default defineConfig({
  test: {
    // Door tests wait more than they compute: on two cores, three at a time take half as long as one.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/*.test.ts', 'bench/**/*.test.ts'],
          environment: 'node',
          testTimeout: 60_000, // the import rule and the differential test compute for seconds on a busy machine
          // Files share their processes: to import anew what most of them use took a third of the time.
          isolate: false,
        },
      },
      {
        test: {
          name: 'web',
          include: ['src/web/**/*.test.tsx'],
          environment: 'happy-dom',
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'postgres',
          include: ['test/postgres/**/*.test.ts'],
          globalSetup: ['test/postgres/checkout.ts'],
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
      {
        test: {
          name: 'door',
          include: ['test/e2e/**/*.test.ts'],
          exclude: ['test/e2e/browser/**'],
          globalSetup: ['test/support/shared-postgres.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
          // Files share their processes: each by itself spends two seconds on importing the service.
          isolate: false,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/e2e/browser/**/*.test.ts'],
          globalSetup: ['test/support/shared-postgres.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 30_000 } },
          // Files share their processes, as most of what they import is the same.
          maxWorkers: 3,
          isolate: false,
        },
      },
      {
        test: {
          name: 'chaos',
          include: ['test/chaos/**/*.test.ts'],
          globalSetup: ['test/support/shared-postgres.ts'],
          testTimeout: 20 * 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
