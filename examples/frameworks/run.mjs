// npm run example:frameworks: each of them against a service of its own, with a person who answers. Large, hence with a lockfile
// of its own and no part of npm test.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { server } from '../../scripts/lib/builds.mjs'
import { ensureBuilt, ensureInstalled } from '../../scripts/prepare.mjs'
import { installIn } from '../../test/clients/install.mjs'
import { findNode22 } from '../../test/clients/node-22.mjs'
import { runClient } from '../../test/clients/run-client.mjs'
import { startService } from '../../test/clients/service.mjs'

const folder = import.meta.dirname
const examples = [
  { file: 'langgraph.mjs', name: 'LangGraph' },
  { file: 'vercel-ai.mjs', name: 'Vercel AI SDK', needsNode22: true },
  { file: 'openai-agents.mjs', name: 'OpenAI Agents' },
]

await ensureInstalled()
await ensureBuilt([server])
if (!existsSync(join(folder, 'node_modules'))) await installIn(folder)
const service = await startService()
try {
  for (const { file, name, needsNode22 } of examples) {
    const node = needsNode22 ? findNode22(folder) : process.execPath
    if (!node) {
      console.log(` - ${name}: left out, it needs Node 22 and npm has one for Linux on x64 and arm64 only`)
      continue
    }
    const complaint = await runClient(service, node, join(folder, file))
    console.log(complaint === undefined ? ` ✓ ${name}` : ` ✗ ${name}\n${complaint}\n`)
    if (complaint !== undefined) process.exitCode = 1
  }
} finally {
  await service.stop()
}
