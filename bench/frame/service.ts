import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openPrivatePostgres } from '../../src/server/postgres/private-postgres.ts'
import { onExit } from './on-exit.ts'
import { profilerFlags } from './profile.ts'

export type BenchService = Awaited<ReturnType<typeof startService>>

/** Runs `work` with a temporary folder for a private PostgreSQL. */
export async function withDataDir<T>(work: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'handrail-bench-'))
  chmodSync(dataDir, 0o755) // if we are root, PostgreSQL runs as another user
  try {
    return await work(dataDir)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Runs `work` with a new service. */
export async function withService<T>(work: (service: BenchService) => Promise<T>): Promise<T> {
  return await withDataDir(async (dataDir) => {
    const service = await startService(dataDir)
    try {
      return await work(service)
    } finally {
      await service.stop()
    }
  })
}

/**
 * Starts the built service with its own PostgreSQL, like `npm start`, but with one worker and no
 * rate limits.
 */
export async function startService(dataDir: string) {
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    DATA_DIR: dataDir,
    PORT: '0',
    RATE_LIMIT: '0',
    SIGN_IN_LIMIT: '0',
    WORKERS: '1',
    // Receivers of callbacks are on this machine.
    CALLBACK_ALLOW_CIDRS: '127.0.0.1/32',
  }
  // With the default log level, so that the cost of logging is included.
  const logFile = join(dataDir, 'service.log')
  const log = openSync(logFile, 'a')
  const child = spawn(process.execPath, [...profilerFlags(), 'dist/server/main.js'], {
    env: environment,
    stdio: ['ignore', 'pipe', log],
  })
  closeSync(log)
  const forget = onExit(() => child.kill('SIGTERM'))
  const url = await readUrl(child, logFile)
  return {
    url,
    pid: child.pid!,
    dataDir,
    /** Runs a command of the CLI with `--json`. Returns its parsed output. */
    async handrail(...command: string[]) {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['dist/cli/main.js', ...command, '--json'],
        { env: environment },
      )
      return JSON.parse(stdout)
    },
    async stop() {
      forget()
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

/** Reads the URL from the start message. */
function readUrl(child: ChildProcess, logFile: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout!.on('data', (chunk) => {
      output += chunk
      const url = /^API\s+(\S+)\/docs$/m.exec(output)?.[1]
      if (url) resolve(url)
    })
    child.once('exit', (code) => {
      const log = readFileSync(logFile, 'utf8')
      reject(new Error(`The service exited with code ${code}:\n${output}${log}`))
    })
  })
}

/** Runs `work` with the URL of the service's PostgreSQL, as a superuser. */
export async function withDatabase<T>(
  { dataDir }: BenchService,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const postgres = await openPrivatePostgres({ dataDir, as: 'command', printLine: () => undefined })
  try {
    return await work(postgres.connectionString)
  } finally {
    await postgres.close()
  }
}
