// npm run example:frameworks: runs each example against a temporary service with a person who answers. Has its own lockfile and
// is not part of npm test, because it installs 350 MB.
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
      console.log(` - ${name}: skipped; it needs Node 22, which npm provides for Linux on x64 and arm64 only`)
      continue
    }
    const failure = await runClient(service, node, join(folder, file))
    console.log(failure === undefined ? ` ✓ ${name}` : ` ✗ ${name}\n${failure}\n`)
    if (failure !== undefined) process.exitCode = 1
  }
} finally {
  await service.stop()
}
