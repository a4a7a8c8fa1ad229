// npm run test:clients: MCP clients of others against a service of our own. Each connects with a key, lists, creates,
// waits for a person, and reads. Slow and large (its own lockfile, a second Node), hence no part of npm test.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { server } from '../../scripts/lib/builds.mjs'
import { ensureBuilt, ensureInstalled } from '../../scripts/prepare.mjs'
import { installIn } from './install.mjs'
import { findNode22 } from './node-22.mjs'
import { startService } from './service.mjs'
import { walk } from './walk.mjs'

const folder = import.meta.dirname
const clients = [
  { file: new URL('./langchain.mjs', import.meta.url), name: 'LangChain (@langchain/mcp-adapters)' },
  { file: new URL('./vercel.mjs', import.meta.url), name: 'Vercel AI SDK (@ai-sdk/mcp)', needsNode22: true },
  { file: new URL('./openai.mjs', import.meta.url), name: 'OpenAI Agents (@openai/agents)' },
]

await ensureInstalled()
await ensureBuilt([server])
if (!existsSync(join(folder, 'node_modules'))) await installIn(folder)
const service = await startService()
let failed = 0
try {
  for (const { file, name, needsNode22 } of clients) {
    const node = needsNode22 ? findNode22(folder) : process.execPath
    if (!node) {
      console.log(` - ${name}: left out, it needs Node 22 and npm has one for Linux on x64 and arm64 only`)
      continue
    }
    const began = Date.now()
    const complaint = await walk(service, node, fileURLToPath(file))
    if (complaint === undefined)
      console.log(` ✓ ${name}: listed, created, waited, read (${Date.now() - began} ms)`)
    else {
      failed += 1
      console.log(` ✗ ${name}\n${complaint}\n`)
    }
  }
} finally {
  await service.stop()
}
process.exitCode = failed === 0 ? 0 : 1
