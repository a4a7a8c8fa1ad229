// node scripts/check-deploy.mjs: checks deploy/ and the Dockerfile without a container engine. Runs
// the steps of the Dockerfile in empty folders, one per stage, and starts the result as an
// unprivileged user. Needs root on Linux.
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
  console.error('This check switches to an unprivileged user, so it must be started as root.')
  process.exit(1)
}
const workFolder = mkdtempSync(join(tmpdir(), 'handrail-deploy-'))
chmodSync(workFolder, 0o755)
const [uid, gid] = ['-u', '-g'].map((option) => Number(outputOf('id', [option, 'nobody'])))
// The user that takes the place of the user in the image.
const nobody = { uid, gid }

try {
  const image = build()
  await startAndCheck('with its own PostgreSQL', image, {})
  await withDatabase(image, (url) => {
    const secret = (name) => `${name} of the check, thirty-two characters or more`
    return startAndCheck('with DATABASE_URL', image, {
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
  rmSync(workFolder, { recursive: true, force: true })
}

/** Runs the instructions of all stages. Returns the last stage, with its folder and command. */
function build() {
  const stages = new Map()
  let stage
  for (const { name, text } of readDockerfile(inRoot('Dockerfile'))) {
    if (name === 'FROM') {
      const [, from, , as = 'image'] = /^(\S+)( AS (\S+))?$/.exec(text)
      stage = { folder: join(workFolder, as), env: {}, cwd: '/', user: 'root' }
      mkdirSync(stage.folder)
      stages.set(as, stage)
      console.log(`${name} ${text}: an empty folder and this machine's Node take the place of ${from}`)
      continue
    }
    console.log(`${name} ${text}`)
    if (name === 'WORKDIR') {
      stage.cwd = text
      mkdirSync(pathIn(stage, text), { recursive: true })
    } else if (name === 'ENV') Object.assign(stage.env, Object.fromEntries([text.split('=')]))
    else if (name === 'USER') stage.user = text
    else if (name === 'COPY') copy(stages, stage, text)
    else if (name === 'RUN') runStep(stage, text)
    else if (name === 'CMD') stage.command = JSON.parse(text)
    else if (name === 'HEALTHCHECK') stage.health = JSON.parse(/CMD (\[.*\])$/.exec(text)[1])
    else if (name === 'STOPSIGNAL') stage.signal = text
    else if (name === 'VOLUME') stage.volume = text
    else if (name !== 'EXPOSE') throw new Error(`This check does not support the instruction ${name}.`)
  }
  if (stage.user === 'root') throw new Error('The image would run as root.')
  return stage
}

function pathIn({ folder }, path) {
  return join(folder, path)
}

function copy(stages, stage, text) {
  const [, from, paths] = /^(?:--from=(\S+) )?(.+)$/.exec(text)
  const sources = paths.split(' ')
  const target = sources.pop().replace(/^\./, stage.cwd)
  for (const source of sources) {
    if (from)
      cpSync(pathIn(stages.get(from), source), inTarget(source), { recursive: true, verbatimSymlinks: true })
    else for (const file of contextFiles(source)) copyFile(file, pathIn(stage, join(target, file)))
  }

  function inTarget(source) {
    return pathIn(stage, target.endsWith('/') ? join(target, source.split('/').pop()) : target)
  }
}

/** The build context: files of the checkout that .dockerignore does not exclude. */
function contextFiles(source) {
  const ignored = readFileSync(inRoot('.dockerignore'), 'utf8').split('\n').filter(Boolean)
  return outputOf('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', source])
    .split('\n')
    .filter((file) => file !== '' && !ignored.some((name) => file === name || file.startsWith(`${name}/`)))
}

function copyFile(file, target) {
  mkdirSync(dirname(target), { recursive: true })
  cpSync(inRoot(file), target)
}

/**
 * Runs a RUN instruction. Paths of the image become paths in the folder of the stage, and its user
 * becomes `nobody`.
 */
function runStep(stage, text) {
  const command = text
    .replaceAll(/ (\/\w+)/g, (_, path) => ` ${pathIn(stage, path)}`)
    .replaceAll(/-(o|g) node/g, (_, option) => `-${option} ${option === 'o' ? uid : gid}`)
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...stage.env }
  const { status } = spawnSync('/bin/sh', ['-c', command], {
    cwd: pathIn(stage, stage.cwd),
    env,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`Step failed: ${text}`)
}

async function startAndCheck(setup, stage, variables) {
  const env = {
    PATH: process.env.PATH,
    ...stage.env,
    ...variables,
    PORT: String(await freePort()),
    DATA_DIR: pathIn(stage, stage.volume),
  }
  const options = { ...nobody, env, cwd: pathIn(stage, stage.cwd) }
  const [program, ...args] = stage.command
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const [healthProgram, ...healthArgs] = stage.health
  try {
    for (
      const end = Date.now() + 120_000;
      spawnSync(healthProgram, healthArgs, options).status !== 0;
      await sleep(500)
    ) {
      if (Date.now() > end || child.exitCode !== null)
        throw new Error(`The service did not become healthy ${setup}:\n${output}`)
    }
    const { status, stdout } = spawnSync('node', ['dist/cli/main.js', 'doctor'], {
      ...options,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`\`handrail doctor\` failed ${setup}:\n${stdout}`)
  } finally {
    child.kill(stage.signal)
  }
  const code = await ended
  if (code !== 0) throw new Error(`The service exited with code ${code} ${setup}.`)
  console.log(`\n${output}\nHealthy and stopped cleanly ${setup}.\n`)
}

/**
 * Runs `work` with the URL of a PostgreSQL in another folder, which is an external database for the
 * service.
 */
async function withDatabase(stage, work) {
  const module = pathToFileURL(pathIn(stage, '/app/dist/server/postgres/private-postgres.js'))
  const { openPrivatePostgres } = await import(module)
  const dataDir = join(workFolder, 'external')
  mkdirSync(dataDir)
  chownSync(dataDir, uid, gid)
  // PostgreSQL may run as a different unprivileged user.
  const settings = { unix_socket_permissions: '0777' }
  const postgres = await openPrivatePostgres({ dataDir, as: 'command', printLine: () => {}, settings })
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
  if (error) return console.log('Skipped the systemd unit: systemd-analyze is not installed.')
  const problems = stderr.split('\n').filter((line) => line.includes('handrail.service'))
  console.log(`systemd-analyze verify: ${status === 0 ? 'no problems found' : problems.join('\n')}`)
}

function checkCompose() {
  if (spawnSync('docker', ['compose', 'version']).status !== 0)
    return console.log('Skipped the compose file: docker compose is not installed.')
  const env = { ...process.env, POSTGRES_PASSWORD: 'x' }
  const args = ['compose', '-f', inRoot('deploy/compose.yaml'), 'config', '--quiet']
  const { status } = spawnSync('docker', args, { env, stdio: 'inherit' })
  if (status !== 0) throw new Error('docker compose rejected the compose file.')
}

function outputOf(program, args) {
  return spawnSync(program, args, { cwd: root, encoding: 'utf8' }).stdout.trim()
}

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}
