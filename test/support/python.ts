import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const systemPython = process.env.PYTHON3_PATH ?? 'python3'
const root = fileURLToPath(new URL('../..', import.meta.url))
const baseEnv = { PATH: process.env.PATH, HOME: process.env.HOME, PYTHONDONTWRITEBYTECODE: '1' }

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
export const wheelName = `handrail-${version}-py3-none-any.whl`
export const builtWheel = join(root, 'dist/clients', wheelName)

/** Runs tests of clients/python and returns what unittest prints. */
export async function runUnitTests(...args: string[]): Promise<string> {
  const { stderr } = await run(systemPython, ['-m', 'unittest', ...args], {
    cwd: join(root, 'clients/python'),
    env: baseEnv,
  })
  return stderr
}

/** Why tests with pydantic cannot run here, also printed. undefined: they can. */
export async function reasonWithoutPydantic(): Promise<string | undefined> {
  // Not by importing it, which takes half a second.
  const find = 'import importlib.util, sys; sys.exit(importlib.util.find_spec("pydantic") is None)'
  if (await run(systemPython, ['-c', find]).catch(() => undefined)) return undefined
  const reason = 'pydantic is not installed (on Debian: python3-pydantic)'
  console.warn(`Skipped: ${reason}`)
  return reason
}

export type Program = { output: string; exitCode: Promise<number | null>; kill(): void }

/** Runs a program with the wheel of the client: Python can import it without installing it. */
export function startPython(code: string, variables: Record<string, string>): Program {
  const env = { ...baseEnv, PYTHONUNBUFFERED: '1', PYTHONPATH: builtWheel, ...variables }
  const child = spawn(systemPython, ['-c', code], { cwd: tmpdir(), env })
  const program = {
    output: '',
    exitCode: new Promise<number | null>((resolve) => child.once('close', resolve)),
    /** Ends the process as a crash would. */
    kill: () => child.kill('SIGKILL'),
  }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      program.output += text
    })
  }
  return program
}
