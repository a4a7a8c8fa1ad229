import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const folder = fileURLToPath(new URL('.', import.meta.url))
const suiteFile = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** Its packages have their own lockfile, so that the main install stays small. */
export async function installSuite(): Promise<void> {
  if (existsSync(suiteFile)) return
  const args = ['ci', '--loglevel=error', '--prefer-offline', '--no-audit', '--no-fund']
  await promisify(execFile)('npm', args, { cwd: folder })
}

export type Check = { scenario: string; id: string; status: string; errorMessage?: string }

/**
 * Runs all scenarios for a protocol revision. The results are the checks; the exit code of the
 * suite does not matter.
 */
export async function runSuite(url: string, revision: string): Promise<Check[]> {
  const results = mkdtempSync(join(tmpdir(), 'handrail-conformance-'))
  const preload = ['--import', join(folder, 'node-20.mjs')]
  const args = ['server', '--url', url, '--suite', 'all', '--spec-version', revision, '-o', results]
  const ended = await promisify(execFile)(process.execPath, [...preload, suiteFile, ...args], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: { stdout: string; stderr: string }) => error)
  const checks = readdirSync(results).flatMap((name) => {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\dZ-]+$/, '')
    const parsed = JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8')) as Omit<
      Check,
      'scenario'
    >[]
    return parsed.map((check) => ({ ...check, scenario }))
  })
  rmSync(results, { recursive: true, force: true })
  if (checks.length === 0) throw new Error(`the suite ran no checks:\n${ended.stdout}\n${ended.stderr}`)
  return checks
}
