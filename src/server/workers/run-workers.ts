import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry } from 'prom-client'
import { RateLimiterClusterMaster } from 'rate-limiter-flexible'
import type { Config, SecretConfig } from '../config.ts'
import { createLogger } from '../lib/logger.ts'
import type { FromWorker, ToWorker } from '../lib/worker-messages.ts'
import { listenForMetrics } from '../listen.ts'
import { openPrivatePostgres } from '../postgres/private-postgres.ts'

// Each worker that ends sooner than this after its start doubles the delay of its replacement.
const settledMilliseconds = 10_000
const maxDelayMilliseconds = 30_000
// A worker takes at most 25 s to finish its requests, and then about 10 s for its jobs.
const stopTimeoutMilliseconds = 45_000

type Options = {
  config: Config
  secretConfig: SecretConfig
  printLine(line: string): void
  /**
   * The file that workers run. The script that started this process may be another, which builds
   * first.
   */
  mainFile: string
}

/**
 * Runs several worker processes on one port. This process serves only metrics. It runs the private
 * PostgreSQL, counts request limits and collects metrics for all workers, replaces workers that
 * end, and stops them together. The workers know nothing of each other, like nodes on several
 * machines.
 */
export async function runWorkers({ config, secretConfig, printLine, mainFile }: Options): Promise<void> {
  cluster.setupPrimary({ exec: mainFile })
  const log = createLogger(config.logLevel)
  const metrics = new AggregatorRegistry()
  new RateLimiterClusterMaster()
  const needsPostgres = secretConfig.databaseUrl === undefined && config.only !== 'mcp'
  const postgres = needsPostgres
    ? await openPrivatePostgres({
        dataDir: config.dataDir,
        as: 'service',
        printLine,
        log: (message, fields) => log.warn(fields ?? {}, message),
      })
    : undefined
  const metricsListener = await listenForMetrics(config, () => metrics.clusterMetrics(), log)
  /** Undefined until the first worker serves. */
  let port: number | undefined
  let isStopping = false
  let failures = 0

  cluster.on('message', (worker, message: FromWorker) => {
    if (message.type === 'handrail:starting')
      // A stop that was sent before the worker listened for messages was lost, so it is sent again.
      send(
        worker,
        isStopping ? stopOrder : { type: 'handrail:start', databaseUrl: postgres?.connectionString, port },
      )
    else if (message.type === 'handrail:serving') startOthers(message.port)
    else if (message.type === 'handrail:metrics-wanted') void sendMetrics(worker, message.id)
  })
  cluster.on('exit', (worker, code, signal) => {
    if (isStopping) return
    // The first worker never started serving. It has printed why, unless it was killed.
    if (port === undefined) {
      if (signal) log.error({ pid: worker.process.pid, code, signal }, 'the first worker was killed')
      return void stop(undefined, code || 1)
    }
    log.error({ pid: worker.process.pid, code, signal }, 'a worker ended unexpectedly and is replaced')
    void replace(worker)
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal, 0))
  void postgres?.lost.then((error) => {
    log.fatal({ err: error }, 'private PostgreSQL stopped unexpectedly')
    void stop('The private PostgreSQL stopped unexpectedly', 1)
  })
  start()

  function start(): void {
    const worker = cluster.fork()
    startedAt.set(worker, Date.now())
    // Emitted when a worker ends before it has received a message.
    worker.on('error', (error) => log.warn({ err: error }, 'a message did not reach a worker'))
  }

  /** The first worker has migrated the database, so the others need not wait for each other. */
  function startOthers(servingPort: number): void {
    if (port !== undefined) return
    port = servingPort
    for (let count = 1; count < config.workers; count++) start()
  }

  async function replace(worker: Worker): Promise<void> {
    const hasSettled = Date.now() - (startedAt.get(worker) ?? 0) > settledMilliseconds
    failures = hasSettled ? 0 : failures + 1
    await sleep(failures === 0 ? 0 : Math.min(2 ** failures * 500, maxDelayMilliseconds))
    if (!isStopping) start()
  }

  async function sendMetrics(worker: Worker, id: number): Promise<void> {
    const text = await metrics.clusterMetrics().catch(() => undefined)
    send(worker, { type: 'handrail:metrics', id, text })
  }

  async function stop(reason: string | undefined, exitCode: number): Promise<void> {
    // A second call, for example for a second signal, exits immediately.
    if (isStopping) process.exit(1)
    isStopping = true
    if (reason) printLine(`${reason}: finishing open requests`)
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    const ended = workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)))
    for (const worker of workers) send(worker, { ...stopOrder, ...(reason && { reason }) })
    const timeout = setTimeout(() => {
      for (const worker of workers) worker.process.kill('SIGKILL')
    }, stopTimeoutMilliseconds)
    await Promise.all(ended)
    clearTimeout(timeout)
    await metricsListener?.close(0)
    await postgres?.close()
    process.exit(exitCode)
  }
}

const stopOrder = { type: 'handrail:stop', reason: 'SIGTERM' } as const
const startedAt = new WeakMap<Worker, number>()

function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message)
}
