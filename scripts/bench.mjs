// npm run bench
import { bench } from './lib/builds.mjs'
import { run } from './lib/run.mjs'
import { ensureBuilt, prepare } from './prepare.mjs'

await prepare()
await ensureBuilt([bench])
process.exitCode = await run(process.execPath, ['.cache/bench/bench/main.js', ...process.argv.slice(2)])
