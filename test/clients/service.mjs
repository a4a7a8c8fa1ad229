import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inRoot } from '../../scripts/lib/root.mjs'

const person = { email: 'owner@example.com', password: 'correct horse battery staple' }

/** Starts the service like `npm start`, on a temporary private PostgreSQL, with a workspace and its owner. */
export async function startService() {
  const dataDir = mkdtempSync(join(tmpdir(), 'handrail-clients-'))
  chmodSync(dataDir, 0o755) // for the user PostgreSQL runs as when we are root
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'error',
    WORKERS: '1',
    CALLBACK_ALLOW_CIDRS: '127.0.0.1/32',
  }
  const child = spawn(process.execPath, [inRoot('dist/server/main.js')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const url = await readUrl(child, exited)
    const setup = [
      'setup',
      '--workspace',
      'Clients',
      '--email',
      person.email,
      '--password',
      person.password,
      '--json',
    ]
    const { stdout } = await promisify(execFile)(process.execPath, [inRoot('dist/cli/main.js'), ...setup], {
      env,
    })
    const { workspaceId, apiKey, webhookSecret } = JSON.parse(stdout)
    const cookie = await signIn(url)
    return {
      url,
      mcpUrl: `${url}/mcp`,
      apiKey,
      webhookSecret,
      stop,
      ...createPerson(url, { cookie, origin: url, 'handrail-workspace': workspaceId }),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** What the owner does with a task. */
function createPerson(url, headers) {
  async function call(path, body) {
    const response = await fetch(`${url}/api/v1/tasks/${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json', ...headers },
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return await response.json()
  }
  return {
    handle: (taskId, answer) => call(`${taskId}/handle`, answer),
    ask: (taskId, text) => call(`${taskId}/questions`, { text, kind: 'question' }),
    /** Waits until the agent has replied to what was asked. */
    async waitForReply(taskId) {
      const until = Date.now() + 60_000
      while ((await call(taskId)).waitingFor === 'agent') {
        if (Date.now() > until) throw new Error('the agent did not reply')
        await sleep(200)
      }
    },
  }
}

async function readUrl(child, exited) {
  let output = ''
  const found = new Promise((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
      const address = /^API\s+(\S+)\/docs$/m.exec(output)?.[1]
      if (address) resolve(address)
    })
  })
  const failed = exited.then(([code]) => {
    throw new Error(`the service ended with ${code}`)
  })
  return await Promise.race([found, failed])
}

async function signIn(url) {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(person),
  })
  if (!response.ok) throw new Error(`sign-in failed: ${response.status} ${await response.text()}`)
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}
