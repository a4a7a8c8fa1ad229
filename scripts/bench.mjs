// npm run bench: builds and runs the benchmarks, see bench/README.md.
import { bench } from './lib/builds.mjs'
import { run } from './lib/run.mjs'
import { findSystemPackages } from './lib/system-packages.mjs'
import { ensureBuilt, prepare } from './prepare.mjs'

const args = process.argv.slice(2)
const rows = args.filter((argument) => !argument.startsWith('--'))
const needsBrowser = !args.includes('--table') && (rows.length === 0 || rows.includes('web'))

await prepare()
await ensureBuilt([bench])
const programs = needsBrowser ? await findSystemPackages(['CHROMIUM_PATH']) : {}
process.exitCode = await run(process.execPath, ['.cache/bench/bench/main.js', ...args], programs)
