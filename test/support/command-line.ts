import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { runCommand } from '../../src/cli/commands.ts'
import { testSecrets } from './service.ts'

const mainFile = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

export type Outcome = { code: number | null; output: string; errors: string }

const environmentOf = (databaseUrl: string, more: Record<string, string>) => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  DATABASE_URL: databaseUrl,
  LOG_LEVEL: 'error', // better-auth warns about the secrets used in tests
  ...testSecrets,
  ...more,
})

/** Runs `handrail …` as an operator does, in a process of its own, on the database of a test. */
export async function handrailProcess(
  databaseUrl: string,
  args: string[],
  environment: Record<string, string> = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [mainFile, ...args], {
    env: environmentOf(databaseUrl, environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const [code] = await once(child, 'close')
  return { code, output, errors }
}

let previous: Promise<unknown> = Promise.resolve()

/**
 * The same in this process, which takes a tenth of the processor time. A command has the environment
 * and the output of the process, so one runs after another.
 */
export function handrail(
  databaseUrl: string,
  args: string[],
  environment: Record<string, string> = {},
): Promise<Outcome> {
  const outcome = previous.then(async () => {
    const own = process.env
    process.env = environmentOf(databaseUrl, environment)
    const [output, errors] = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, 'write').mockReturnValue(true),
    )
    const written = (spy: typeof output) => spy!.mock.calls.map(([text]) => text).join('')
    try {
      const code = await runCommand(args)
      return { code, output: written(output), errors: written(errors) }
    } finally {
      process.env = own
      output!.mockRestore()
      errors!.mockRestore()
    }
  })
  previous = outcome.catch(() => undefined)
  return outcome
}
