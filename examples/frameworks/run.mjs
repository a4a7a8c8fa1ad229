// npm run example:frameworks: runs each example against a temporary service with a person who asks and answers. Add file names to run
// some. Has its own lockfile and is not part of npm test, because it installs 550 MB.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, server, typescriptClient } from '../../scripts/lib/builds.mjs'
import { isInstalled } from '../../scripts/lib/installed.mjs'
import { ensureBuilt, ensureInstalled } from '../../scripts/prepare.mjs'
import { installIn } from '../../test/clients/install.mjs'
import { findNode22 } from '../../test/clients/node-22.mjs'
import { runClient } from '../../test/clients/run-client.mjs'
import { startService } from '../../test/clients/service.mjs'
import { askAndAnswer, runExample, runPausedExample } from './run-example.mjs'

const folder = import.meta.dirname
const decline = { actionId: 'decline', data: { reason: 'Too late' } }
const examples = [
  { file: 'langgraph.mjs', name: 'LangGraph over MCP' },
  { file: 'vercel-ai.mjs', name: 'Vercel AI SDK over MCP', needsNode22: true },
  { file: 'openai-agents.mjs', name: 'OpenAI Agents over MCP' },
  {
    file: 'express.mjs',
    name: 'Express: signed callbacks',
    run: runExample,
    answer: { actionId: 'pay' },
    expectedOutput: 'chose pay for invoice 2026-118.',
  },
  {
    file: 'langgraph-durable.mjs',
    name: 'LangGraph: interrupt, exit, reply and resume by callback',
    run: runPausedExample,
    asksFirst: true,
    answer: { actionId: 'send', data: { text: 'We are sorry.' } },
    expectedOutput: 'Resumed in a new process: sent: We are sorry.',
  },
  {
    file: 'openai-agents-durable.mjs',
    name: 'OpenAI Agents: needsApproval, exit, reply, resume after an approval',
    run: runPausedExample,
    asksFirst: true,
    answer: { actionId: 'approve' },
    expectedOutput: 'Resumed in a new process: Refunded €129 for order 58213.',
  },
  {
    file: 'openai-agents-durable.mjs',
    name: 'OpenAI Agents: needsApproval, exit, resume after a refusal',
    run: runPausedExample,
    answer: decline,
    expectedOutput: 'Resumed in a new process: Too late',
  },
  {
    file: 'vercel-ai-durable.mjs',
    name: 'Vercel AI SDK: tool approval, exit, reply, resume after an approval',
    needsNode22: true,
    run: runPausedExample,
    asksFirst: true,
    answer: { actionId: 'approve' },
    expectedOutput: 'Resumed in a new process: “Five quiet keyboards” is online.',
  },
  {
    file: 'vercel-ai-durable.mjs',
    name: 'Vercel AI SDK: tool approval, exit, resume after a refusal',
    needsNode22: true,
    run: runPausedExample,
    answer: decline,
    expectedOutput: 'Resumed in a new process: Too late',
  },
  {
    file: 'mastra-durable.mjs',
    name: 'Mastra: suspend, exit, reply and resume by callback',
    needsNode22: true,
    run: runPausedExample,
    asksFirst: true,
    answer: { actionId: 'deploy' },
    expectedOutput: 'Resumed in a new process: deployed 3.18.0',
  },
]

await ensureInstalled()
await ensureBuilt([server, bundle, typescriptClient])
if (!isInstalled(folder)) await installIn(folder, 'the frameworks (550 MB)')
const service = await startService()
try {
  await installClient()
  const chosen = process.argv.slice(2)
  for (const example of examples) {
    if (chosen.length > 0 && !chosen.includes(example.file)) continue
    const node = example.needsNode22 ? findNode22(folder) : process.execPath
    if (!node) {
      console.log(
        ` - ${example.name}: skipped; it needs Node 22, which npm provides for Linux on x64 and arm64 only`,
      )
      continue
    }
    const failure = await failureOf(example, node)
    console.log(failure === undefined ? ` ✓ ${example.name}` : ` ✗ ${example.name}\n${failure}\n`)
    if (failure !== undefined) process.exitCode = 1
  }
} finally {
  await service.stop()
}

/** Unpacks what `npm install <service>/client.tgz` would install. */
async function installClient() {
  const target = join(folder, 'node_modules/handrail-client')
  mkdirSync(target, { recursive: true })
  const packed = await (await fetch(`${service.url}/client.tgz`)).arrayBuffer()
  execFileSync('tar', ['-xz', '--strip-components=1', '-C', target], { input: Buffer.from(packed) })
}

async function failureOf({ file, run, expectedOutput, ...person }, node) {
  const path = join(folder, file)
  if (!run) return await runClient(service, node, path, (taskId) => askAndAnswer(service, taskId, decline))
  try {
    const output = await run(service, node, path, person)
    console.log(output.trim().replace(/^/gm, '     '))
    return output.includes(expectedOutput) ? undefined : `expected “${expectedOutput}” in\n${output}`
  } catch (error) {
    return error.message
  }
}
