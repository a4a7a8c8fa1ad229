// npm run test:clients: tests popular MCP clients against a real service. Each connects with a key, lists the tools, creates
// a task, waits for the answer and reads it; Claude Code only connects, with a key and without one. Not part of npm test,
// because it installs 700 MB and possibly a second Node.
import { fileURLToPath } from 'node:url'
import { bundle, server } from '../../scripts/lib/builds.mjs'
import { isInstalled } from '../../scripts/lib/installed.mjs'
import { ensureBuilt, ensureInstalled } from '../../scripts/prepare.mjs'
import { installIn } from './install.mjs'
import { findNode22 } from './node-22.mjs'
import { runClient } from './run-client.mjs'
import { startService } from './service.mjs'

const folder = import.meta.dirname
const clients = [
  { file: new URL('./langchain.mjs', import.meta.url), name: 'LangChain (@langchain/mcp-adapters)' },
  { file: new URL('./vercel.mjs', import.meta.url), name: 'Vercel AI SDK (@ai-sdk/mcp)', needsNode22: true },
  { file: new URL('./openai.mjs', import.meta.url), name: 'OpenAI Agents (@openai/agents)' },
  {
    file: new URL('./claude-code.mjs', import.meta.url),
    name: 'Claude Code',
    does: 'connected with a key, and found where to sign in without one',
  },
]

await ensureInstalled()
await ensureBuilt([server, bundle])
if (!isInstalled(folder)) await installIn(folder, 'the MCP clients (700 MB)')
const service = await startService()
let failed = 0
try {
  for (const { file, name, needsNode22, does = 'listed, created, waited, read' } of clients) {
    const node = needsNode22 ? findNode22(folder) : process.execPath
    if (!node) {
      console.log(` - ${name}: skipped; it needs Node 22, which npm provides for Linux on x64 and arm64 only`)
      continue
    }
    const startedAt = Date.now()
    const failure = await runClient(service, node, fileURLToPath(file))
    if (failure === undefined) console.log(` ✓ ${name}: ${does} (${Date.now() - startedAt} ms)`)
    else {
      failed += 1
      console.log(` ✗ ${name}\n${failure}\n`)
    }
  }
} finally {
  await service.stop()
}
process.exitCode = failed === 0 ? 0 : 1
