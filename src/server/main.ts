import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { type Config, ConfigError, poolOnPrivatePostgres, readConfig, type SecretConfig } from './config.ts'
import { explainDatabaseError, StartError } from './lib/start-error.ts'
import { serve } from './serve.ts'
import { version } from './version.ts'
import { awaitStart } from './workers/worker.ts'

/** Reads the configuration and serves, in this process or in several. */
async function main(): Promise<void> {
  const { config, secretConfig } = readConfig(process.env, process.argv.slice(2))
  // If the reader of the output has ended, as `tee` does at Ctrl+C, the service must still finish
  // open requests. Without a listener the next line would end the process.
  process.stdout.on('error', () => undefined)
  if (cluster.isWorker) return await serveAsWorker(config, secretConfig)
  printLine(`Handrail ${version}`)
  if (config.workers === 1) return await serve({ config, secretConfig, printLine, worker: undefined })
  const { runWorkers } = await import('./workers/run-workers.ts')
  await runWorkers({ config, secretConfig, printLine, mainFile: fileURLToPath(import.meta.url) })
}

async function serveAsWorker(config: Config, secretConfig: SecretConfig): Promise<void> {
  const { databaseUrl: privateDatabaseUrl, port } = await awaitStart()
  const isFirst = port === undefined
  await serve({
    config: {
      ...config,
      databasePool: privateDatabaseUrl ? poolOnPrivatePostgres(config) : config.databasePool,
    },
    secretConfig: privateDatabaseUrl
      ? { ...secretConfig, databaseUrl: privateDatabaseUrl, databaseDirectUrl: privateDatabaseUrl }
      : secretConfig,
    printLine: isFirst ? printLine : () => undefined,
    worker: { port },
  })
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) {
    process.stderr.write(
      `Handrail cannot start:\n${error.mistakes.map((mistake) => `  - ${mistake}\n`).join('')}`,
    )
  } else process.stderr.write(`Handrail cannot start: ${explain(error)}\n`)
  process.exit(1)
})

function explain(error: unknown): string {
  if (error instanceof StartError) return error.message
  return explainDatabaseError(error) ?? (error instanceof Error ? error.stack! : String(error))
}
