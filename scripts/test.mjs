// npm test: the static checks and all test projects except chaos. `npm test -- create-task` runs
// only the test files whose name matches; `node scripts/test.mjs chaos` runs the long tests of
// test/chaos and accepts --minutes N for the soak.
import { tmpdir } from 'node:os'
import { findClusterPrograms } from './lib/cluster-programs.mjs'
import { runTestProjects } from './lib/run-test-projects.mjs'
import { runStaticChecks } from './lib/static-checks.mjs'
import { findSystemPackages } from './lib/system-packages.mjs'
import { prepare } from './prepare.mjs'

const args = process.argv.slice(2)
const isChaos = args[0] === 'chaos'
const filters = isChaos ? args.slice(1) : args
const soak = extractMinutes(filters)

// Debian's packages are downloaded while npm's are, and while the build runs.
const finding = findSystemPackages(isChaos ? ['NGINX_PATH', 'OPENSSL_PATH'] : undefined)
await prepare()
const programs = await finding
const results = []
if (isChaos) {
  const hasFailover =
    filters.length === 0 || filters.some((filter) => 'test/chaos/failover.test.ts'.includes(filter))
  const cluster = hasFailover ? await findClusterPrograms() : {}
  // On the disk: these tests write more data than may fit into memory.
  const env = { TMPDIR: tmpdir(), ...programs, ...cluster, ...soak }
  results.push(await runTestProjects(['chaos'], filters, env))
} else {
  // The first run always uses a private PostgreSQL.
  const { TEST_DATABASE_URL: external } = process.env
  delete process.env.TEST_DATABASE_URL
  // The static checks use the processor while the first tests wait for PostgreSQL servers to start
  // and stop.
  const checks = filters.length === 0 ? [runStaticChecks()] : []
  const projects = ['postgres', 'unit', 'web', 'e2e', 'browser']
  results.push(...(await Promise.all([...checks, runTestProjects(projects, filters, programs)])))
  if (external) {
    const env = { ...programs, TEST_DATABASE_URL: external }
    results.push(await runTestProjects(['e2e', 'browser'], filters, env))
  }
}

const sum = (field) => results.reduce((total, result) => total + result[field], 0)
const failures = results.flatMap((result) => result.failures)
if (sum('passed') + failures.length === 0) {
  console.error(`\nNo test matches ${filters.join(' ')}.`)
  process.exitCode = 1
}
if (failures.length > 0) {
  process.exitCode = 1
  console.log(`\n── failed\n${failures.join('\n')}`)
}
console.log(`\n${sum('passed')} passed, ${failures.length} failed, ${sum('skipped')} skipped`)

/** Removes `--minutes 30` from the arguments and returns it as a variable: the duration of the chaos soak. */
function extractMinutes(words) {
  const at = words.indexOf('--minutes')
  if (at === -1) return {}
  const [, minutes] = words.splice(at, 2)
  if (!isChaos || !(Number(minutes) > 0 && Number(minutes) <= 600)) {
    console.error(
      '--minutes needs a number above 0 and up to 600, and works only with the chaos tests: npm run test:chaos -- soak --minutes 30',
    )
    process.exit(1)
  }
  return { SOAK_MINUTES: minutes }
}
