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
import { commandLine, complaintOf, giveUp } from './run.mjs'

/** What a PostgreSQL cluster with failover consists of. `unpacked` runs it from a folder of unpacked packages. */
const NEEDED = [
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

/** Variables that name the programs of the failover test: those that are set, installed, or unpacked from Debian's packages. */
export async function findClusterPrograms() {
  const find = ({ variable, installed }) => process.env[variable] || installed()
  const missing = NEEDED.filter((program) => !find(program))
  const found = Object.fromEntries(NEEDED.map((program) => [program.variable, find(program)]))
  return missing.length === 0 ? found : { ...found, ...(await unpacked(missing)) }
}

function onPath(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** The packages and their dependencies are unpacked once and kept (100 MB), and not installed: installed ones start services. */
async function unpacked(missing) {
  // Not in the checkout, which the user that runs PostgreSQL may be unable to enter.
  const folder = join(tmpdir(), `handrail-packages-${process.getuid()}`)
  const wrapper = ({ variable }) => join(folder, 'wrappers', variable)
  const kept = lstatSync(folder, { throwIfNoEntry: false })
  if (kept && (!kept.isDirectory() || kept.uid !== process.getuid()))
    stop(missing, `${folder} belongs to another user. Remove it, then start again.`)
  if (missing.some((program) => !existsSync(wrapper(program)))) {
    if (!existsSync('/etc/debian_version') || !existsSync('/usr/bin/python3'))
      stop(missing, 'Only on Debian with python3 are they downloaded automatically.')
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

function stop(missing, reason) {
  const list = (key) => missing.map((program) => program[key])
  console.error(`Missing for the failover test: ${list('what').join(', ')}. ${reason}`)
  console.error(`These variables can name them: ${list('variable').join(', ')}.`)
  console.error(`On Debian 12: ${commandLine('apt-get', ['install', ...list('debian')])}`)
  process.exit(1)
}

async function unpack(missing, folder) {
  const packages = missing.map(({ debian }) => debian)
  console.error(`Missing for the failover test: ${missing.map(({ what }) => what).join(', ')}.`)
  console.error(`Unpacking ${packages.join(', ')} and their dependencies into ${folder} …`)
  // A fresh container has no package lists.
  if (process.getuid() === 0) await orGiveUp('apt-get', ['update', '-qq'])
  const args = ['install', '--simulate', '--no-install-recommends', ...packages]
  const { status, stdout, stderr } = spawnSync('apt-get', args, { encoding: 'utf8' })
  if (status !== 0) giveUp('apt-get', args, stderr)
  const names = [...stdout.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name)
  const aside = mkdtempSync(`${folder}-`)
  chmodSync(aside, 0o755)
  try {
    // apt-get downloads into its working directory.
    await orGiveUp('sh', ['-c', 'cd "$0" && exec apt-get -qq download "$@"', aside, ...names])
    await orGiveUp('sh', [
      '-c',
      'for file in "$0"/*.deb; do dpkg -x "$file" "$0" && rm "$file" || exit 1; done',
      aside,
    ])
    writeWrappers(missing, aside, folder)
    renameSync(aside, folder)
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

async function orGiveUp(program, args) {
  const complaint = await complaintOf(program, args)
  if (complaint !== undefined) giveUp(program, args, complaint)
}

function writeWrappers(missing, aside, folder) {
  const architecture = { x64: 'x86_64', arm64: 'aarch64' }[process.arch]
  const environment = [
    `PYTHONPATH=${folder}/usr/lib/python3/dist-packages`,
    `LD_LIBRARY_PATH=${folder}/usr/lib/${architecture}-linux-gnu`,
  ]
  mkdirSync(join(aside, 'wrappers'))
  for (const { variable, unpacked: program } of missing) {
    const file = join(aside, 'wrappers', variable)
    writeFileSync(file, `#!/bin/sh\nexport ${environment.join(' ')}\nexec ${program(folder)} "$@"\n`)
    chmodSync(file, 0o755)
  }
}
