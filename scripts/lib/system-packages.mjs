import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { commandLine, exitWithFailure, runQuietly } from './run.mjs'

const chromiumNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const chromiumPaths = [
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Programs the tests need that npm does not install. */
const requirements = [
  {
    variable: 'CHROMIUM_PATH', // read by the tests
    names: chromiumNames,
    paths: chromiumPaths,
    debian: 'chromium',
    what: 'Chromium or Chrome, for the tests in a real browser',
  },
  {
    // Most browser tests use the headless shell: it needs a quarter less processor time. Chromium
    // works as well.
    variable: 'CHROMIUM_SHELL_PATH',
    names: ['chromium-headless-shell'],
    paths: [],
    instead: 'CHROMIUM_PATH',
    debian: 'chromium-headless-shell',
    what: 'the headless shell of Chromium, for the tests in a real browser',
  },
  {
    variable: 'REDIS_SERVER_PATH',
    names: ['redis-server'],
    paths: ['/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server'],
    debian: 'redis-server',
    what: 'redis-server, for the tests of a separate MCP server',
  },
  {
    variable: 'PGBOUNCER_PATH',
    names: ['pgbouncer'],
    paths: ['/usr/sbin/pgbouncer', '/opt/homebrew/bin/pgbouncer'],
    debian: 'pgbouncer',
    what: 'PgBouncer, for the test behind a connection pooler',
  },
  {
    variable: 'NGINX_PATH',
    names: ['nginx'],
    paths: ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'],
    debian: 'nginx',
    what: 'nginx, for the tests behind a reverse proxy',
  },
  {
    variable: 'OPENSSL_PATH',
    names: ['openssl'],
    paths: ['/usr/bin/openssl'],
    debian: 'openssl',
    what: 'openssl, for the certificate of the reverse proxy',
  },
  {
    variable: 'CURL_PATH',
    names: ['curl'],
    paths: [],
    debian: 'curl',
    what: 'curl, for the tests of the snippets in the web app and the docs',
  },
  {
    variable: 'PYTHON3_PATH',
    names: ['python3'],
    paths: ['/usr/bin/python3', '/usr/local/bin/python3'],
    // A launcher on PATH may not work, and versions before 3.11 have no tomllib.
    check: ['-c', 'import tomllib'],
    debian: 'python3',
    what: 'Python 3.11 or later, for the tests of the Python client and of snippets',
  },
]

/** Returns environment variables with each program's path. Installs missing programs on Debian as root. */
export async function findSystemPackages(variables = requirements.map(({ variable }) => variable)) {
  const needed = requirements.filter(({ variable }) => variables.includes(variable))
  const missing = needed.filter((program) => !find(program))
  if (canInstall()) {
    await install(missing.filter(({ instead }) => !instead))
    await install(missing.filter(({ instead }) => instead))
  }
  const found = Object.fromEntries(needed.map((program) => [program.variable, find(program)]))
  for (const { variable, instead } of needed) if (instead) found[variable] ??= found[instead]
  const absent = needed.filter(({ variable }) => !found[variable])
  if (absent.length > 0) exitWithMissing(absent)
  return found
}

function find({ variable, names, paths, check }) {
  const configured = process.env[variable]
  if (configured) return configured
  const folders = (process.env.PATH ?? '').split(delimiter)
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...paths].find(
    (path) => isExecutable(path) && (!check || exitsCleanly(path, check)),
  )
}

function exitsCleanly(path, args) {
  return spawnSync(path, args, { stdio: 'ignore' }).status === 0
}

function exitWithMissing(programs) {
  for (const { what, variable } of programs)
    console.error(`Missing: ${what}. Install it or set ${variable} to its path.`)
  const names = programs.map((program) => program.debian)
  console.error(`On Debian or Ubuntu: sudo ${commandLine('apt-get', ['install', ...names])}`)
  process.exit(1)
}

function canInstall() {
  return existsSync('/etc/debian_version') && process.getuid?.() === 0
}

async function install(missing) {
  if (missing.length === 0) return
  const names = missing.map((program) => program.debian)
  console.error(`Installing ${names.join(', ')} (apt-get) …`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...names],
  ]) {
    const failure = await runQuietly('apt-get', args, env)
    if (failure === undefined) continue
    if (missing.every(({ instead }) => instead)) return
    exitWithFailure('apt-get', args, failure)
  }
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
