import { spawn } from 'node:child_process'
import { once } from 'node:events'

export async function installIn(folder, what) {
  console.log(`Installing ${what} …`)
  const npm = spawn('npm', ['ci', '--loglevel=error'], { cwd: folder, stdio: 'inherit' })
  const [code] = await once(npm, 'close')
  if (code !== 0) process.exit(1)
}
