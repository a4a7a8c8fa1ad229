import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { inRoot } from './root.mjs'
import { answeredTasks, openTasks } from './sample-tasks.mjs'

const password = 'correct horse battery staple'
const people = { owner: 'nadia@shop.example', admin: 'mara@shop.example', member: 'jonas@shop.example' }

/** Starts the built service on its own PostgreSQL, with a realistically filled workspace and an empty one. */
export async function startSampleService() {
  const dataDir = mkdtempSync(join(tmpdir(), 'handrail-sample-'))
  chmodSync(dataDir, 0o755) // for the user PostgreSQL runs as when we are root
  const receiver = await startReceiver()
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    DATA_DIR: dataDir,
    PORT: '0',
    RATE_LIMIT: '0',
    SIGN_IN_LIMIT: '0',
    CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
    LOG_LEVEL: 'error',
    WORKERS: '1',
  }
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    cwd: inRoot(),
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  async function stop() {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    receiver.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const url = await readUrl(child)
    const handrail = async (...command) => {
      const args = ['dist/cli/main.js', ...command, '--json']
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: inRoot(), env })
      return JSON.parse(stdout)
    }
    const setup = (workspace, name) =>
      handrail(
        'setup',
        '--workspace',
        workspace,
        '--email',
        people.owner,
        '--password',
        password,
        '--name',
        name,
      )
    const shop = await setup('Fjord & Fell Shop', 'Nadia Berg')
    const empty = await setup('Staging', 'Nadia Berg')
    const cookie = await signIn(url, people.owner)
    const sample = { url, empty: empty.workspaceId, workspaceId: shop.workspaceId, cookie, stop }
    await fillWorkspace({ ...sample, apiKey: shop.apiKey, dataDir, callbacks: receiver.url })
    return sample
  } catch (error) {
    await stop()
    throw error
  }
}

async function fillWorkspace({ url, apiKey, cookie, workspaceId, dataDir, callbacks }) {
  const person = { cookie, origin: new URL(url).origin, 'handrail-workspace': workspaceId }
  const call = (headers) => async (method, path, body) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.status === 204 ? undefined : await response.json()
  }
  const agent = call({ 'x-api-key': apiKey })
  const owner = call(person)
  const { openPrivatePostgres } = await import(inRoot('dist/server/postgres/private-postgres.js'))
  const postgres = await openPrivatePostgres({ dataDir, as: 'command', printLine: () => undefined })
  const database = new pg.Client({ connectionString: postgres.connectionString })
  await database.connect()

  /** Sets the service's clock back, so that what is created next appears to be older. */
  const setClockBack = (minutes) =>
    database.query(
      `INSERT INTO clock_offset (amount) VALUES (make_interval(mins => $1))
       ON CONFLICT (only_row) DO UPDATE SET amount = excluded.amount`,
      [-minutes],
    )
  const send = async ({ minutesAgo, updates = [], callback, actionId, ...payload }) => {
    await setClockBack(minutesAgo)
    const target = callback && { callbackUrl: `${callbacks}${callback}`, delivery: 'callback' }
    const { taskId } = await agent('POST', '/tasks', { ...payload, ...target })
    for (const message of updates) await agent('POST', `/tasks/${taskId}/updates`, { message })
    if (actionId) await owner('POST', `/tasks/${taskId}/handle`, { actionId, data: {} })
  }

  try {
    await setClockBack(40_000)
    for (const [role, email, name] of [
      ['admin', people.admin, 'Mara Lund'],
      ['member', people.member, 'Jonas Ek'],
    ]) {
      const { link } = await owner('POST', '/invitations', { email, role })
      await call({})('POST', '/invitations/accept', { token: new URL(link).hash.slice(1), name, password })
    }
    await setClockBack(9_000)
    const { keyId } = await owner('POST', '/api-keys', { name: 'refund-agent, staging' })
    const old = await owner('POST', '/api-keys', { name: 'night-batch, before the move' })
    await owner('DELETE', `/api-keys/${old.keyId}`)
    for (const task of answeredTasks) await send(task)
    await setClockBack(600)
    await owner('POST', `/api-keys/${keyId}/rotate`, {})
    await owner('POST', '/invitations', { email: 'ines@shop.example', role: 'member' })
    for (const task of openTasks) await send(task)
    await setClockBack(0)
    await owner('POST', '/webhooks/test', { url: `${callbacks}/hooks/refund` })
    await waitForDeliveryAttempts()
  } finally {
    await database.end()
    await postgres.close()
  }

  /** The screenshot of the delivery log shows an attempt for every callback. */
  async function waitForDeliveryAttempts() {
    const areAttempted = async () =>
      (await owner('GET', '/deliveries')).deliveries.every(({ attemptCount }) => attemptCount > 0)
    while (!(await areAttempted())) await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Responds like real receivers: successfully, temporarily unavailable, or permanently removed. */
async function startReceiver() {
  const server = createServer((request, response) => {
    request.resume()
    if (request.url.startsWith('/old')) return response.writeHead(410).end('This endpoint was removed.')
    if (request.url.endsWith('/slow')) return response.writeHead(503).end('Down for maintenance.')
    response.writeHead(204).end()
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }
}

async function signIn(url, email) {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(url).origin },
    body: JSON.stringify({ email, password }),
  })
  return response.headers.getSetCookie()[0].split(';')[0]
}

/** Reads the address from the start message. */
function readUrl(child) {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
      const url = /^API\s+(\S+)\/docs$/m.exec(output)?.[1]
      if (url) resolve(url)
    })
    child.once('exit', (code) => reject(new Error(`The service exited with code ${code}:\n${output}`)))
  })
}
