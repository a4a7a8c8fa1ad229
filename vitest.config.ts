import { defineConfig } from 'vitest/config'
import { ProjectOrder } from './test/support/project-order.ts'

// Projects by cost. `unit` and `web` need no process and no database. `postgres` tests the private
// PostgreSQL: starting, stopping and killing it. `e2e` sends real HTTP to a service on a real
// PostgreSQL. `browser` adds a real Chromium. scripts/test.mjs runs these in one run. `chaos` runs
// separately, by npm run test:chaos: minutes of crashes, faults and load.
export default defineConfig({
  test: {
    // Tests also wait: three files at a time keep two cores busy. More start more services and browsers
    // (docs/decisions/045-test-time.md).
    maxWorkers: 3,
    sequence: { sequencer: ProjectOrder },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/*.test.ts', 'bench/**/*.test.ts'],
          environment: 'node',
          testTimeout: 240_000, // the import rules take 40 s on a busy machine
          // Files share their processes: importing the shared modules again took a third of the
          // time.
          isolate: false,
        },
      },
      {
        test: {
          name: 'web',
          include: ['src/web/**/*.test.tsx'],
          environment: './test/support/shared-dom.ts',
          setupFiles: ['test/support/component-tests.ts'],
          // Files share their processes: importing React and happy-dom for each took four fifths of
          // the processor time.
          isolate: false,
          css: { modules: { classNameStrategy: 'non-scoped' } },
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'postgres',
          include: ['test/postgres/**/*.test.ts'],
          globalSetup: ['test/postgres/checkout.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: ['test/e2e/browser/**'],
          globalSetup: ['test/support/shared-postgres.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 40_000 } },
          // Files share their processes: importing the service takes two seconds.
          isolate: false,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/e2e/browser/**/*.test.ts'],
          globalSetup: ['test/support/shared-postgres.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect: { poll: { timeout: 40_000 } },
          // Files share their processes: they import mostly the same modules.
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
