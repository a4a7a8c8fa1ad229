// npm run dev: the service restarts and the page reloads on every change. Open the address that
// vite prints; it proxies API requests to the service.
import { bundle, card, pythonClient, server, typescriptClient } from './lib/builds.mjs'
import { start } from './lib/run.mjs'
import { removeStamp } from './lib/stamp.mjs'
import { ensureBuilt, ensureInstalled } from './prepare.mjs'

const webPort = 5173

await ensureInstalled()
await ensureBuilt([server, bundle, card, typescriptClient, pythonClient])
for (const { stamp } of [server, bundle]) removeStamp(stamp) // the watchers write there from now on

const env = {
  ...process.env,
  // The browser sends vite's address as its Origin, so that must be the service's public URL.
  PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${webPort}`,
  WORKERS: process.env.WORKERS ?? '1',
  HANDRAIL_DEV_BACKEND: `http://127.0.0.1:${process.env.PORT ?? 3000}`,
}

// Each child has its own process group, so that Ctrl-C reaches only this process, which sends each
// child one SIGTERM. The service would otherwise receive two signals and treat the second as a
// forced stop.
const options = { env, detached: true, stdio: ['ignore', 'inherit', 'inherit'] }
const compiler = start('tsc', [...server.args, '--watch', '--preserveWatchOutput'], options)
const children = [
  compiler,
  start('rolldown', [...bundle.args, '--watch'], options),
  start(
    process.execPath,
    ['--watch', '--watch-preserve-output', 'dist/server/main.js', ...process.argv.slice(2)],
    options,
  ),
  start('vite', ['--port', String(webPort), '--strictPort', '--clearScreen', 'false'], options),
]

let isStopping = false
function stopAll(code) {
  if (isStopping) return
  isStopping = true
  process.exitCode = code
  for (const child of children) child.kill('SIGTERM')
  // The compiler runs in a child of its own, which does not get the signal.
  try {
    process.kill(-compiler.pid, 'SIGTERM')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopAll(0))
for (const child of children) {
  child.once('error', () => stopAll(1))
  child.once('close', () => stopAll(1)) // they only exit on their own after an error
}
