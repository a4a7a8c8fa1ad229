// npm test: everything, cheapest first. `npm test -- create-task` runs the test files of that name only;
// `node scripts/test.mjs chaos` runs the long tests of test/chaos, and takes --minutes N for the soak.
import { findClusterPrograms } from './lib/cluster-programs.mjs'
import { shapeRing } from './lib/shape-ring.mjs'
import { findSystemPackages } from './lib/system-packages.mjs'
import { testRing } from './lib/test-ring.mjs'
import { prepare } from './prepare.mjs'

const args = process.argv.slice(2)
const chaos = args[0] === 'chaos'
const filters = chaos ? args.slice(1) : args
const soak = takeMinutes(filters)

await prepare()
const results = []
if (chaos) {
  const programs = await findSystemPackages(['NGINX_PATH', 'OPENSSL_PATH'])
  const hasFailover =
    filters.length === 0 || filters.some((filter) => 'test/chaos/failover.test.ts'.includes(filter))
  const cluster = hasFailover ? await findClusterPrograms() : {}
  results.push(await testRing(['chaos'], filters, { ...programs, ...cluster, ...soak }))
} else {
  const programs = await findSystemPackages()
  // The first pass is always on the private PostgreSQL.
  const { TEST_DATABASE_URL: external } = process.env
  delete process.env.TEST_DATABASE_URL
  if (filters.length === 0) results.push(await shapeRing())
  // unit and web compute while a PostgreSQL starts and stops.
  for (const rings of [['unit', 'web', 'postgres'], ['door'], ['browser']]) {
    results.push(await testRing(rings, filters, programs))
  }
  if (external) {
    for (const ring of ['door', 'browser']) {
      results.push(await testRing([ring], filters, { ...programs, TEST_DATABASE_URL: external }))
    }
  }
}

const sum = (what) => results.reduce((total, result) => total + result[what], 0)
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

/** `--minutes 30` among the arguments: how long the soak of the chaos ring lasts. */
function takeMinutes(words) {
  const at = words.indexOf('--minutes')
  if (at === -1) return {}
  const [, minutes] = words.splice(at, 2)
  if (!chaos || !(Number(minutes) > 0 && Number(minutes) <= 600)) {
    console.error(
      '--minutes takes a number up to 600, and only with the chaos tests: npm run test:chaos -- soak --minutes 30',
    )
    process.exit(1)
  }
  return { SOAK_MINUTES: minutes }
}
