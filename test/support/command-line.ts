import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { testSecrets } from './service.ts'

const mainFile = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

export type Outcome = { code: number | null; output: string; errors: string }

/** Runs `handrail …` as an operator does, on the database of a test. */
export async function handrail(
  databaseUrl: string,
  args: string[],
  environment: Record<string, string> = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [mainFile, ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'error', // better-auth warns about the secrets used in tests
      ...testSecrets,
      ...environment,
    },
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
