import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { commandLine, complaintOf, giveUp } from './run.mjs'

/** Programs the tests need that npm does not bring. Another one is another entry. */
const NEEDED = [
  {
    variable: 'CHROMIUM_PATH', // the tests find it there
    names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    places: [
      '/snap/bin/chromium',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ],
    debian: 'chromium',
    what: 'Chromium or Chrome, for the tests in a real browser',
  },
  {
    variable: 'REDIS_SERVER_PATH',
    names: ['redis-server'],
    places: ['/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server'],
    debian: 'redis-server',
    what: 'redis-server, for the tests of an MCP server apart',
  },
  {
    variable: 'PGBOUNCER_PATH',
    names: ['pgbouncer'],
    places: ['/usr/sbin/pgbouncer', '/opt/homebrew/bin/pgbouncer'],
    debian: 'pgbouncer',
    what: 'PgBouncer, for the test behind a pooler',
  },
  {
    variable: 'NGINX_PATH',
    names: ['nginx'],
    places: ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'],
    debian: 'nginx',
    what: 'nginx, for the tests of the service behind a proxy',
  },
  {
    variable: 'OPENSSL_PATH',
    names: ['openssl'],
    places: ['/usr/bin/openssl'],
    debian: 'openssl',
    what: 'openssl, for the certificate of that proxy',
  },
  {
    variable: 'CURL_PATH',
    names: ['curl'],
    places: [],
    debian: 'curl',
    what: 'curl, for the tests of the snippets that pages and docs offer',
  },
  {
    variable: 'PYTHON3_PATH',
    names: ['python3'],
    places: ['/usr/bin/python3', '/usr/local/bin/python3'],
    // A launcher on PATH may lead nowhere, and before 3.11 there is no TOML.
    proof: ['-c', 'import tomllib'],
    debian: 'python3',
    what: 'Python 3.11 or later, for the tests of the snippets that pages and docs offer',
  },
]

/** Variables that name each program's path, having installed what was missing where we may. */
export async function findSystemPackages(variables = NEEDED.map(({ variable }) => variable)) {
  const needed = NEEDED.filter(({ variable }) => variables.includes(variable))
  if (needed.some((program) => !find(program))) await install(needed.filter((program) => !find(program)))
  return Object.fromEntries(needed.map((program) => [program.variable, find(program)]))
}

function find({ variable, names, places, proof }) {
  const given = process.env[variable]
  if (given) return given
  const folders = (process.env.PATH ?? '').split(delimiter)
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...places].find(
    (path) => isProgram(path) && (!proof || runs(path, proof)),
  )
}

function runs(path, args) {
  return spawnSync(path, args, { stdio: 'ignore' }).status === 0
}

async function install(missing) {
  const names = missing.map((program) => program.debian)
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) {
    for (const { what, variable } of missing) console.error(`Missing: ${what}. (${variable} may name it.)`)
    console.error(`On Debian or Ubuntu: sudo ${commandLine('apt-get', ['install', ...names])}`)
    process.exit(1)
  }
  console.error(`Installing ${names.join(', ')} (apt-get) …`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...names],
  ]) {
    const complaint = await complaintOf('apt-get', args, env)
    if (complaint !== undefined) giveUp('apt-get', args, complaint)
  }
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
