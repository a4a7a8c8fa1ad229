import { spawn } from 'node:child_process'
import { once } from 'node:events'

const timeoutMilliseconds = 60_000

const decline = { actionId: 'decline', data: { reason: 'Too late' } }

/** Runs one client in its own process and answers the task it creates. Returns what went wrong, or undefined. */
export async function runClient(service, node, file, answer = (taskId) => service.handle(taskId, decline)) {
  const child = spawn(node, [file], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      MCP_URL: service.mcpUrl,
      HANDRAIL_API_KEY: service.apiKey,
      OPENAI_AGENTS_DISABLE_TRACING: '1', // it would send traces to OpenAI
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMilliseconds,
  })
  let output = ''
  let errors = ''
  let handling
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
    const taskId = /^waiting for (tsk_\w+)$/m.exec(output)?.[1]
    if (taskId) handling ??= answer(taskId)
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  const [code, signal] = await once(child, 'close')
  const unhandled = await handling?.catch((error) => error.message)
  if (code === 0 && output.includes('client passed')) return undefined
  return [`ended with ${signal ?? code}`, unhandled, output, errors].filter(Boolean).join('\n')
}
