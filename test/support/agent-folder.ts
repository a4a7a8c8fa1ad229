import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * An agent's folder with the client that the service serves, unpacked as npm would, and packages of
 * this repository.
 */
export async function createAgentFolder(serviceUrl: string, packages: string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-agent-'))
  const client = join(folder, 'node_modules/handrail-client')
  mkdirSync(client, { recursive: true })
  const packed = await (await fetch(`${serviceUrl}/client.tgz`)).arrayBuffer()
  execFileSync('tar', ['-xz', '--strip-components=1', '-C', client], { input: Buffer.from(packed) })
  for (const name of packages) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), link)
  }
  return folder
}

/** Runs a program of an agent's folder. */
export function startAgent(folder: string, args: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment },
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const exitCode = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, output: () => output, exitCode }
}
