import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  const reason = /skipped '(.*)'/.exec(await runUnitTests('-v', 'tests.test_forms.Pydantic'))?.[1]
  if (reason) console.warn(`Skipped: ${reason}`)
  return reason
}

export type PythonClient = { start(code: string, variables: Record<string, string>): Program; remove(): void }

/**
 * Installs the client from the service: by pip into a venv, or without venv by importing the
 * downloaded wheel.
 */
export async function installPythonClient(url: string): Promise<PythonClient> {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-python-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const wheelUrl = `${url}/client/${wheelName}`
  try {
    await run(systemPython, ['-m', 'venv', '--system-site-packages', join(folder, 'venv')])
  } catch {
    const file = join(folder, wheelName)
    writeFileSync(file, Buffer.from(await (await fetch(wheelUrl)).arrayBuffer()))
    return { ...importWheel(file), remove }
  }
  const python = join(folder, 'venv/bin/python')
  const options = ['--no-index', '--no-deps', '--no-cache-dir', '--disable-pip-version-check']
  await run(python, ['-m', 'pip', 'install', ...options, wheelUrl], { env: baseEnv })
  return { start: (code, variables) => startProgram(python, code, variables), remove }
}

/** Python can import a wheel as it is: installing it takes longer. */
export function importWheel(file = builtWheel): PythonClient {
  return {
    start: (code, variables) => startProgram(systemPython, code, { PYTHONPATH: file, ...variables }),
    remove: () => undefined,
  }
}

export type Program = { output: string; exitCode: Promise<number | null>; kill(): void }

function startProgram(python: string, code: string, variables: Record<string, string>): Program {
  const env = { ...baseEnv, PYTHONUNBUFFERED: '1', ...variables }
  const child = spawn(python, ['-c', code], { cwd: tmpdir(), env })
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
