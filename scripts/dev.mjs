// npm run dev: the service restarts and the page reloads on every change. Open the address of vite, which passes
// what belongs to the service on to it.
import { server } from './lib/builds.mjs'
import { start } from './lib/run.mjs'
import { removeStamp } from './lib/stamp.mjs'
import { ensureBuilt, ensureInstalled } from './prepare.mjs'

const WEB_PORT = 5173

await ensureInstalled()
await ensureBuilt([server])
removeStamp(server.stamp) // from now on tsc writes there unasked

const env = {
  ...process.env,
  // The browser's Origin is vite's address, so that must be the service's public one.
  PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${WEB_PORT}`,
  HANDRAIL_DEV_BACKEND: `http://127.0.0.1:${process.env.PORT ?? 3000}`,
}

// Each in a process group of its own: a Ctrl-C reaches only us, and we pass it on once. The service would hear it
// twice otherwise, and take the second for impatience.
const options = { env, detached: true, stdio: ['ignore', 'inherit', 'inherit'] }
const children = [
  start('tsc', [...server.args, '--watch', '--preserveWatchOutput'], options),
  start(
    process.execPath,
    ['--watch', '--watch-preserve-output', 'dist/server/main.js', ...process.argv.slice(2)],
    options,
  ),
  start('vite', ['--port', String(WEB_PORT), '--strictPort', '--clearScreen', 'false'], options),
]

let ending = false
function endAll(code) {
  if (ending) return
  ending = true
  process.exitCode = code
  for (const child of children) child.kill('SIGTERM')
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => endAll(0))
for (const child of children) {
  child.once('error', () => endAll(1))
  child.once('close', () => endAll(1)) // none of them ends by itself unless something is wrong
}
