import { setTimeout as sleep } from 'node:timers/promises'
import { type App, composeService } from './compose.ts'
import type { Config, SecretConfig } from './config.ts'
import { isSetUpNeeded, setUpToken } from './domain/workspaces/set-up.ts'
import { listen, listenForMetrics } from './listen.ts'
import { localUrl } from './public-url.ts'
import type { SeparateMcp } from './separate-mcp.ts'
import { reportServing } from './workers/worker.ts'

const drainMilliseconds = 25_000
// How long new requests are still served after SIGTERM, so that load balancers see /health change
// before any is refused.
const noticeMilliseconds = 1_000
const metricsDrainMilliseconds = 1_000

type Options = {
  config: Config
  secretConfig: SecretConfig
  printLine(line: string): void
  /**
   * Set if this is one of several processes on the port. `port` is set if others are serving on it
   * already.
   */
  worker: { port: number | undefined } | undefined
}

/** Composes the service, listens, and drains on a signal. */
export async function serve({ config, secretConfig, printLine, worker }: Options): Promise<void> {
  // The port is bound before the service is composed, because with PORT=0 the public URL depends on
  // it. If other processes are serving already, this process binds the port only when it can serve
  // too.
  const bind = () => listen(config.host, config.port, config.maxConnections)
  const bound = worker?.port === undefined ? await bind() : undefined
  const configuredUrl = config.only === 'mcp' ? config.mcpPublicUrl : config.publicUrl
  const publicUrl = configuredUrl ?? localUrl({ host: config.host, port: bound?.port ?? worker!.port! })
  const options = { config, secretConfig, publicUrl, as: 'service', printLine } as const
  let app: SeparateMcp | App
  try {
    app =
      config.only === 'mcp'
        ? await (await import('./separate-mcp.ts')).composeSeparateMcp(options)
        : await composeService(options)
  } catch (error) {
    await bound?.close(0)
    throw error
  }
  const { log, metrics } = 'service' in app ? app.service : app
  // With several processes, the primary process listens for all.
  const metricsListener = worker ? undefined : await listenForMetrics(config, metrics.readAll, log)
  const needsSetUp = 'service' in app && (await isSetUpNeeded(app.service))
  const listener = bound ?? (await bind())
  listener.serve(app.fetch)

  let isStopping = false
  const stop = async (reason: string, exitCode: number) => {
    if (isStopping) return
    isStopping = true
    if (!worker) printLine(`${reason}: finishing open requests`)
    app.drain()
    if (reason === 'SIGTERM') await sleep(noticeMilliseconds)
    await listener.close(drainMilliseconds - noticeMilliseconds)
    await metricsListener?.close(metricsDrainMilliseconds)
    await app.close()
    process.exit(exitCode)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      // A second signal exits immediately. Workers may get one from the terminal and one from the
      // primary process.
      if (isStopping && !worker) process.exit(1)
      void stop(signal, 0)
    })
  if (worker) reportServing(listener.port, (reason) => void stop(reason, 0))

  if (!('service' in app)) return printLine(`MCP      ${config.mcpPublicUrl ?? publicUrl}/mcp`)
  void app.postgresLost?.then((error) => {
    log.fatal({ err: error }, 'private PostgreSQL stopped unexpectedly')
    void stop('The private PostgreSQL stopped unexpectedly', 1)
  })
  if (config.only === 'jobs') return printLine(`Health   ${publicUrl}/health`)
  printLine(`Inbox    ${publicUrl}`)
  if (config.only !== 'backend') printLine(`MCP      ${config.mcpPublicUrl ?? publicUrl}/mcp`)
  printLine(`API      ${publicUrl}/docs`)
  if (needsSetUp) {
    printLine('')
    printLine('Create the first owner here. The link works once:')
    printLine(`${publicUrl}/setup#${setUpToken(app.service.secrets.authSecret)}`)
  }
}
