// node scripts/check-deploy.mjs: what can be known of deploy/ and the Dockerfile without a container engine. Carries out the steps
// of the Dockerfile in empty folders, one a stage, and starts the result as an unprivileged user. Needs root on Linux.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { readDockerfile } from './lib/dockerfile.mjs'
import { inRoot, root } from './lib/root.mjs'

if (process.getuid?.() !== 0) {
  console.error('This steps down to an unprivileged user, so it has to begin as root.')
  process.exit(1)
}
const place = mkdtempSync(join(tmpdir(), 'handrail-deploy-'))
chmodSync(place, 0o755)
const [uid, gid] = ['-u', '-g'].map((option) => Number(output('id', [option, 'nobody'])))
// Stands in for the user of the image.
const nobody = { uid, gid }

try {
  const image = build()
  await tryIt('with its own PostgreSQL', image, {})
  await withDatabase(image, (url) => {
    const secret = (name) => `${name} of the check, thirty-two characters or more`
    return tryIt('with DATABASE_URL', image, {
      DATABASE_URL: url,
      API_KEY_PEPPER: secret('pepper'),
      ENCRYPTION_KEY: secret('encryption key'),
      AUTH_SECRET: secret('auth secret'),
      SERVICE_MCP_INTERNAL_TOKEN: secret('internal token'),
    })
  })
  checkUnit()
  checkCompose()
} finally {
  rmSync(place, { recursive: true, force: true })
}

/** The last stage: its folder, and what is to run in it. */
function build() {
  const stages = new Map()
  let stage
  for (const { name, text } of readDockerfile(inRoot('Dockerfile'))) {
    if (name === 'FROM') {
      const [, from, , as = 'image'] = /^(\S+)( AS (\S+))?$/.exec(text)
      stage = { folder: join(place, as), env: {}, cwd: '/', user: 'root' }
      mkdirSync(stage.folder)
      stages.set(as, stage)
      console.log(`${name} ${text}: an empty folder and this machine's Node, not ${from}`)
      continue
    }
    console.log(`${name} ${text}`)
    if (name === 'WORKDIR') {
      stage.cwd = text
      mkdirSync(inside(stage, text), { recursive: true })
    } else if (name === 'ENV') Object.assign(stage.env, Object.fromEntries([text.split('=')]))
    else if (name === 'USER') stage.user = text
    else if (name === 'COPY') copy(stages, stage, text)
    else if (name === 'RUN') runStep(stage, text)
    else if (name === 'CMD') stage.command = JSON.parse(text)
    else if (name === 'HEALTHCHECK') stage.health = JSON.parse(/CMD (\[.*\])$/.exec(text)[1])
    else if (name === 'STOPSIGNAL') stage.signal = text
    else if (name === 'VOLUME') stage.volume = text
    else if (name !== 'EXPOSE') throw new Error(`This check does not know ${name}.`)
  }
  if (stage.user === 'root') throw new Error('The image would run as root.')
  return stage
}

function inside({ folder }, path) {
  return join(folder, path)
}

function copy(stages, stage, text) {
  const [, from, paths] = /^(?:--from=(\S+) )?(.+)$/.exec(text)
  const sources = paths.split(' ')
  const target = sources.pop().replace(/^\./, stage.cwd)
  for (const source of sources) {
    if (from)
      cpSync(inside(stages.get(from), source), inTarget(source), { recursive: true, verbatimSymlinks: true })
    else for (const file of context(source)) put(file, inside(stage, join(target, file)))
  }

  function inTarget(source) {
    return inside(stage, target.endsWith('/') ? join(target, source.split('/').pop()) : target)
  }
}

/** What the engine would be sent: files of the checkout without those of .dockerignore. */
function context(source) {
  const ignored = readFileSync(inRoot('.dockerignore'), 'utf8').split('\n').filter(Boolean)
  return output('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', source])
    .split('\n')
    .filter((file) => file !== '' && !ignored.some((name) => file === name || file.startsWith(`${name}/`)))
}

function put(file, target) {
  mkdirSync(dirname(target), { recursive: true })
  cpSync(inRoot(file), target)
}

/** Paths and users of the image are those of its folder and `nobody` here. */
function runStep(stage, text) {
  const here = text
    .replaceAll(/ (\/\w+)/g, (_, path) => ` ${inside(stage, path)}`)
    .replaceAll(/-(o|g) node/g, (_, option) => `-${option} ${option === 'o' ? uid : gid}`)
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...stage.env }
  const { status } = spawnSync('/bin/sh', ['-c', here], {
    cwd: inside(stage, stage.cwd),
    env,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`This step failed: ${text}`)
}

async function tryIt(how, stage, more) {
  const env = {
    PATH: process.env.PATH,
    ...stage.env,
    ...more,
    PORT: String(await freePort()),
    DATA_DIR: inside(stage, stage.volume),
  }
  const options = { ...nobody, env, cwd: inside(stage, stage.cwd) }
  const [program, ...args] = stage.command
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const [asker, ...question] = stage.health
  try {
    for (
      const end = Date.now() + 120_000;
      spawnSync(asker, question, options).status !== 0;
      await sleep(500)
    ) {
      if (Date.now() > end || child.exitCode !== null)
        throw new Error(`It does not become healthy ${how}:\n${said}`)
    }
    const { status, stdout } = spawnSync('node', ['dist/cli/main.js', 'doctor'], {
      ...options,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`doctor is not content ${how}:\n${stdout}`)
  } finally {
    child.kill(stage.signal)
  }
  const code = await ended
  if (code !== 0) throw new Error(`It ended with ${code} ${how}.`)
  console.log(`\n${said}\nHealthy and stopped in order ${how}.\n`)
}

/** A PostgreSQL of another folder, as if it were elsewhere. */
async function withDatabase(stage, work) {
  const module = pathToFileURL(inside(stage, '/app/dist/server/postgres/private-postgres.js'))
  const { openPrivatePostgres } = await import(module)
  const dataDir = join(place, 'elsewhere')
  mkdirSync(dataDir)
  chownSync(dataDir, uid, gid)
  // It runs as an unprivileged user that need not be ours.
  const settings = { unix_socket_permissions: '0777' }
  const postgres = await openPrivatePostgres({ dataDir, as: 'tool', say: () => {}, settings })
  chmodSync(postgres.connection.host, 0o755)
  try {
    await work(postgres.connectionString)
  } finally {
    await postgres.close()
  }
}

function checkUnit() {
  const { status, stderr, error } = spawnSync(
    'systemd-analyze',
    ['verify', inRoot('deploy/handrail.service')],
    {
      encoding: 'utf8',
    },
  )
  if (error) return console.log('The unit is not checked: there is no systemd-analyze here.')
  const about = stderr.split('\n').filter((line) => line.includes('handrail.service'))
  console.log(`systemd-analyze verify: ${status === 0 ? 'nothing to say' : about.join('\n')}`)
}

function checkCompose() {
  if (spawnSync('docker', ['compose', 'version']).status !== 0)
    return console.log('The compose file is not checked: there is no docker compose here.')
  const env = { ...process.env, POSTGRES_PASSWORD: 'x' }
  const args = ['compose', '-f', inRoot('deploy/compose.yaml'), 'config', '--quiet']
  const { status } = spawnSync('docker', args, { env, stdio: 'inherit' })
  if (status !== 0) throw new Error('docker compose finds fault with the compose file.')
}

function output(program, args) {
  return spawnSync(program, args, { cwd: root, encoding: 'utf8' }).stdout.trim()
}

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}
