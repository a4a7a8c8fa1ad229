import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { commandLine, exitWithFailure, runQuietly } from './run.mjs'

/**
 * The programs of a PostgreSQL cluster with failover. `unpacked` is the command within a folder of
 * unpacked packages.
 */
const programs = [
  {
    variable: 'PATRONI_PATH',
    what: 'Patroni',
    debian: 'patroni',
    installed: () => onPath('patroni'),
    unpacked: () => '/usr/bin/python3 -m patroni',
  },
  {
    variable: 'ETCD_PATH',
    what: 'etcd',
    debian: 'etcd-server',
    installed: () => onPath('etcd'),
    unpacked: (folder) => `${folder}/usr/bin/etcd`,
  },
  {
    variable: 'HAPROXY_PATH',
    what: 'HAProxy',
    debian: 'haproxy',
    installed: () => onPath('haproxy'),
    unpacked: (folder) => `${folder}/usr/sbin/haproxy`,
  },
  {
    variable: 'CLUSTER_POSTGRES_BIN',
    what: 'PostgreSQL 15',
    debian: 'postgresql-15',
    installed: () => ['/usr/lib/postgresql/15/bin'].find((folder) => existsSync(join(folder, 'initdb'))),
    unpacked: (folder) => `${folder}/usr/lib/postgresql/15/bin`,
  },
]

/**
 * Returns environment variables with the paths of the failover test's programs: set, installed, or
 * unpacked from Debian packages.
 */
export async function findClusterPrograms() {
  const find = ({ variable, installed }) => process.env[variable] || installed()
  const missing = programs.filter((program) => !find(program))
  const found = Object.fromEntries(programs.map((program) => [program.variable, find(program)]))
  return missing.length === 0 ? found : { ...found, ...(await useUnpacked(missing)) }
}

function onPath(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** Packages and dependencies are unpacked once and cached (100 MB). Installing them would start services. */
async function useUnpacked(missing) {
  // Not in the checkout: the user that runs PostgreSQL may not have access to it.
  const folder = join(tmpdir(), `handrail-packages-${process.getuid()}`)
  const wrapper = ({ variable }) => join(folder, 'wrappers', variable)
  const cached = lstatSync(folder, { throwIfNoEntry: false })
  if (cached && (!cached.isDirectory() || cached.uid !== process.getuid()))
    exitWithMissing(missing, `${folder} belongs to another user. Remove it and try again.`)
  if (missing.some((program) => !existsSync(wrapper(program)))) {
    if (!existsSync('/etc/debian_version') || !existsSync('/usr/bin/python3'))
      exitWithMissing(missing, 'Automatic download requires Debian with python3.')
    rmSync(folder, { recursive: true, force: true })
    await unpack(missing, folder)
  }
  return Object.fromEntries(
    missing.map((program) => [
      program.variable,
      program.variable === 'CLUSTER_POSTGRES_BIN' ? program.unpacked(folder) : wrapper(program),
    ]),
  )
}

function exitWithMissing(missing, reason) {
  const list = (key) => missing.map((program) => program[key])
  console.error(`Missing for the failover test: ${list('what').join(', ')}. ${reason}`)
  console.error(`Set their paths with ${list('variable').join(', ')}.`)
  console.error(`Or install them on Debian 12: ${commandLine('apt-get', ['install', ...list('debian')])}`)
  process.exit(1)
}

async function unpack(missing, folder) {
  const packages = missing.map(({ debian }) => debian)
  console.error(`Missing for the failover test: ${missing.map(({ what }) => what).join(', ')}.`)
  console.error(`Unpacking ${packages.join(', ')} and their dependencies into ${folder} …`)
  // A fresh container has no package index.
  if (process.getuid() === 0) await runOrExit('apt-get', ['update', '-qq'])
  const args = ['install', '--simulate', '--no-install-recommends', ...packages]
  const { status, stdout, stderr } = spawnSync('apt-get', args, { encoding: 'utf8' })
  if (status !== 0) exitWithFailure('apt-get', args, stderr)
  const names = [...stdout.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name)
  const staging = mkdtempSync(`${folder}-`)
  chmodSync(staging, 0o755)
  try {
    // apt-get downloads into its working directory.
    await runOrExit('sh', ['-c', 'cd "$0" && exec apt-get -qq download "$@"', staging, ...names])
    await runOrExit('sh', [
      '-c',
      'for file in "$0"/*.deb; do dpkg -x "$file" "$0" && rm "$file" || exit 1; done',
      staging,
    ])
    writeWrappers(missing, staging, folder)
    renameSync(staging, folder)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

async function runOrExit(program, args) {
  const failure = await runQuietly(program, args)
  if (failure !== undefined) exitWithFailure(program, args, failure)
}

function writeWrappers(missing, staging, folder) {
  const architecture = { x64: 'x86_64', arm64: 'aarch64' }[process.arch]
  const environment = [
    `PYTHONPATH=${folder}/usr/lib/python3/dist-packages`,
    `LD_LIBRARY_PATH=${folder}/usr/lib/${architecture}-linux-gnu`,
  ]
  mkdirSync(join(staging, 'wrappers'))
  for (const { variable, unpacked: program } of missing) {
    const file = join(staging, 'wrappers', variable)
    writeFileSync(file, `#!/bin/sh\nexport ${environment.join(' ')}\nexec ${program(folder)} "$@"\n`)
    chmodSync(file, 0o755)
  }
}
