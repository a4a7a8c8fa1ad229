import { defineConfig } from 'vitest/config'
import { ProjectOrder } from './test/support/project-order.ts'

// Long, because a failed test takes this long and a passing one never does: shared machines can be
// ten times slower than an idle one, and pause for seconds.
const patience = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 120_000 } }, // as in test/support/wait-options.ts
}

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
          setupFiles: ['test/support/patient-waits.ts'],
          ...patience,
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
          setupFiles: ['test/support/patient-waits.ts', 'test/support/component-tests.ts'],
          // Files share their processes: importing React and happy-dom for each took four fifths of
          // the processor time.
          isolate: false,
          css: { modules: { classNameStrategy: 'non-scoped' } },
          ...patience,
        },
      },
      {
        test: {
          name: 'postgres',
          include: ['test/postgres/**/*.test.ts'],
          globalSetup: ['test/postgres/checkout.ts'],
          ...patience,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: ['test/e2e/browser/**'],
          globalSetup: ['test/support/shared-postgres.ts'],
          ...patience,
          // Files share their processes: importing the service takes two seconds.
          isolate: false,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/e2e/browser/**/*.test.ts'],
          globalSetup: ['test/support/shared-postgres.ts'],
          ...patience,
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
