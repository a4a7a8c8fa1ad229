import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const folder = fileURLToPath(new URL('.', import.meta.url))
const suiteFile = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const packagedNode = join(folder, `node_modules/node-linux-${process.arch}/bin/node`)
const isNode22OrNewer = Number(process.versions.node.split('.')[0]) >= 22

/**
 * Why the suite cannot run here, or undefined if it can. It needs Node 22, which npm can install on
 * Linux.
 */
export const skipReason =
  isNode22OrNewer || (process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch))
    ? undefined
    : `the suite needs Node 22; this is ${process.version}, and npm has one for Linux on x64 and arm64 only`

/** Its packages have their own lockfile, so that the main install stays small. */
export async function installSuite(): Promise<void> {
  if (existsSync(suiteFile) && (isNode22OrNewer || existsSync(packagedNode))) return
  await promisify(execFile)('npm', ['ci', '--loglevel=error', '--prefer-offline'], { cwd: folder })
}

export type Check = { scenario: string; id: string; status: string; errorMessage?: string }

/**
 * Runs all scenarios for a protocol revision. The results are the checks; the exit code of the
 * suite does not matter.
 */
export async function runSuite(url: string, revision: string): Promise<Check[]> {
  const results = mkdtempSync(join(tmpdir(), 'handrail-conformance-'))
  const args = ['server', '--url', url, '--suite', 'all', '--spec-version', revision, '-o', results]
  const program = isNode22OrNewer ? process.execPath : packagedNode
  const ended = await promisify(execFile)(program, [suiteFile, ...args], {
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
