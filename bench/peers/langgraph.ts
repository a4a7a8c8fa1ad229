import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { createHttpClient } from '../frame/http-client.ts'
import { onExit } from '../frame/on-exit.ts'
import { concurrentClients, type TaskSystem } from '../frame/task-throughput.ts'

const home = resolve('bench/peers/langgraph')
const pageSize = 100
const startSeconds = 60

/**
 * Installs LangGraph unless it is installed. It needs 200 MB, and a C++ compiler if npm has no
 * SQLite binary for the platform.
 */
export async function installLanggraph(): Promise<void> {
  if (existsSync(join(home, 'node_modules'))) return
  const npm = spawn('npm', ['ci', '--loglevel=error'], { cwd: home, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(npm, 'close')
  if (code !== 0) throw new Error(`npm ci in ${home} ended with ${code}.`)
}

/** Runs `langgraphjs dev` with its default configuration and without data. */
export async function startDevServer(): Promise<TaskSystem> {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-langgraph-'))
  // The server writes its state and a .gitignore next to its configuration.
  for (const file of ['package.json', 'langgraph.json', 'graph.mjs'])
    copyFileSync(join(home, file), join(folder, file))
  symlinkSync(join(home, 'node_modules'), join(folder, 'node_modules'))
  const port = await freePort()
  const program = join(home, 'node_modules/@langchain/langgraph-cli/dist/cli/cli.mjs')
  const args = ['dev', '--no-browser', '--no-reload', '--host', '127.0.0.1', '--port', String(port)]
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    detached: true, // a process group of its own, because the server starts a child process, which must be stopped too
    stdio: 'ignore',
    env: { ...process.env, LANGGRAPH_CLI_NO_ANALYTICS: '1', LANGSMITH_TRACING: 'false' },
  })
  const url = `http://127.0.0.1:${port}`
  const kill = () => process.kill(-child.pid!, 'SIGKILL')
  const forget = onExit(kill)
  const stop = async () => {
    forget()
    kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
    rmSync(folder, { recursive: true, force: true })
  }
  const deadline = Date.now() + startSeconds * 1000
  while (!(await isUp(url))) {
    if (child.exitCode === null && Date.now() < deadline) await sleep(100)
    else {
      await stop()
      throw new Error(
        `The dev server of LangGraph did not start. To see why, run: cd ${home} && npx langgraphjs dev`,
      )
    }
  }
  return taskSystemAt(url, stop)
}

function taskSystemAt(url: string, stop: () => Promise<void>): TaskSystem {
  const client = createHttpClient(url, concurrentClients)
  const send = async (method: string, path: string, body?: unknown) =>
    JSON.parse((await client.send(method, path, {}, body)).text)
  const run = (id: string, more: object) =>
    send('POST', `/threads/${id}/runs`, { assistant_id: 'ask', if_not_exists: 'create', ...more })
  /** The id of the run that resumed each thread. */
  const resumeRuns = new Map<string, string>()
  return {
    async create(task) {
      const id = randomUUID()
      await run(id, { input: { task } })
      return id
    },
    async countOpen() {
      let count = 0
      for (;;) {
        const query = { status: 'interrupted', limit: pageSize, offset: count }
        const found = await send('POST', '/threads/search', query)
        count += found.length
        if (found.length < pageSize) return count
      }
    },
    async answer(id, answer) {
      resumeRuns.set(id, (await run(id, { command: { resume: answer } })).run_id)
    },
    read: async (id) => (await send('GET', `/threads/${id}/runs/${resumeRuns.get(id)}/join`)).answer,
    async close() {
      client.close()
      await stop()
    },
  }
}

/** Opens LangGraph as a library in this process, which is its fastest mode. */
export async function openSqlite(): Promise<TaskSystem> {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-langgraph-'))
  const { openSqlite: open } = await import(pathToFileURL(join(home, 'sqlite.mjs')).href)
  const system: TaskSystem = open(join(folder, 'checkpoints.sqlite'))
  return {
    ...system,
    async close() {
      await system.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function isUp(url: string): Promise<boolean> {
  return await fetch(`${url}/ok`).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  return typeof address === 'object' ? address!.port : 0
}
