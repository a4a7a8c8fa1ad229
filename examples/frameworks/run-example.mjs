import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const timeoutMilliseconds = 60_000
const question = 'How do you know?'

/** A person asks about the task, waits for the reply of the example, and answers. */
export async function askAndAnswer(service, taskId, answer) {
  await service.ask(taskId, question)
  await service.waitForReply(taskId)
  await service.handle(taskId, answer)
}

/** Starts an example, asks and answers as a person, and expects it to end well. Returns what it printed. */
export async function runExample(service, node, file, { answer }) {
  let handling
  const answerOnce = (taskId) => {
    handling ??= askAndAnswer(service, taskId, answer)
    // Awaited below; without this, a failure in between would end the process.
    handling.catch(() => undefined)
  }
  const output = await run(service, node, [file], { port: await freePort() }, answerOnce)
  await handling
  return output
}

/**
 * Runs an example that pauses: its first process creates a task and exits, a person answers or asks while nothing runs, and a second
 * process continues from the files of the first. Returns what all processes printed.
 */
export async function runPausedExample(service, node, file, { answer, asksFirst }) {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-example-'))
  try {
    const options = { port: await freePort(), cwd: folder }
    const started = await run(service, node, [file, 'start'], options)
    const taskId = /tsk_\w+/.exec(started)?.[0]
    if (!taskId) throw new Error(`no task was created\n${started}`)
    const resume = () => run(service, node, [file, 'resume'], options)
    if (!asksFirst) {
      await service.handle(taskId, answer)
      return started + (await resume())
    }
    await service.ask(taskId, question)
    const answering = service.waitForReply(taskId).then(() => service.handle(taskId, answer))
    const [resumed] = await Promise.all([resume(), answering])
    // An example that reads the task once has replied, and finds the answer when it runs again.
    return started + resumed + (resumed.includes('Resumed') ? '' : await resume())
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function run(service, node, args, { port, cwd }, onTask) {
  const child = spawn(node, args, {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      HANDRAIL_URL: service.url,
      HANDRAIL_API_KEY: service.apiKey,
      HANDRAIL_WEBHOOK_SECRET: service.webhookSecret,
      OPENAI_AGENTS_DISABLE_TRACING: '1', // it would send traces to OpenAI
      MASTRA_TELEMETRY_DISABLED: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMilliseconds,
  })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
    const taskId = /tsk_\w+(?=\s)/.exec(output)?.[0]
    if (taskId) onTask?.(taskId)
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  const [code, signal] = await once(child, 'close')
  if (code !== 0) throw new Error(`${args.slice(1)} ended with ${signal ?? code}\n${output}${errors}`)
  return output
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
