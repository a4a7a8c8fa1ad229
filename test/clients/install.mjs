import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname

export async function installClients() {
  if (existsSync(join(folder, 'node_modules/@openai/agents'))) return
  console.log('Installing the clients (some 350 MB) …')
  const npm = spawn('npm', ['ci', '--loglevel=error'], { cwd: folder, stdio: 'inherit' })
  const [code] = await once(npm, 'close')
  if (code !== 0) process.exit(1)
}
