import { setTimeout as sleep } from 'node:timers/promises'
import { type App, composeService } from './compose.ts'
import { ConfigError, readConfig } from './config.ts'
import { isSetUpNeeded, setUpToken } from './domain/workspaces/set-up.ts'
import { StartError } from './lib/start-error.ts'
import { listen } from './listen.ts'
import { localUrl } from './public-url.ts'
import type { SeparateMcp } from './separate-mcp.ts'
import { version } from './version.ts'

const drainMilliseconds = 25_000
// How long new requests are still served after SIGTERM, so that load balancers see /health change
// before any is refused.
const noticeMilliseconds = 1_000
const maxMetricsConnections = 100

/** Reads the configuration, composes, listens, and drains on a signal. */
async function main(): Promise<void> {
  const { config, secretConfig } = readConfig(process.env, process.argv.slice(2))
  printLine(`Handrail ${version}`)
  const listener = await listen(config.host, config.port, config.maxConnections)
  const metricsListener =
    config.metricsPort === undefined
      ? undefined
      : await listen(config.host, config.metricsPort, maxMetricsConnections)
  const configuredUrl = config.only === 'mcp' ? config.mcpPublicUrl : config.publicUrl
  const publicUrl = configuredUrl ?? localUrl({ host: config.host, port: listener.port })
  const options = { config, secretConfig, publicUrl, as: 'service', printLine } as const
  let app: SeparateMcp | App
  try {
    app =
      config.only === 'mcp'
        ? await (await import('./separate-mcp.ts')).composeSeparateMcp(options)
        : await composeService(options)
  } catch (error) {
    await Promise.all([listener.close(0), metricsListener?.close(0)])
    throw error
  }
  const { log, metrics } = 'service' in app ? app.service : app
  const needsSetUp = 'service' in app && (await isSetUpNeeded(app.service))
  listener.serve(app.fetch)
  metricsListener?.serve(async () => {
    return new Response(await metrics.registry.metrics(), {
      headers: { 'content-type': metrics.registry.contentType },
    })
  })

  let isStopping = false
  const stop = async (reason: string, exitCode: number) => {
    // A second signal exits immediately.
    if (isStopping) process.exit(1)
    isStopping = true
    printLine(`${reason}: finishing open requests`)
    app.drain()
    if (reason === 'SIGTERM') await sleep(noticeMilliseconds)
    await listener.close(drainMilliseconds - noticeMilliseconds)
    await metricsListener?.close(noticeMilliseconds)
    await app.close()
    process.exit(exitCode)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal, 0))

  if (!('service' in app)) {
    printLine(`MCP      ${config.mcpPublicUrl ?? publicUrl}/mcp`)
    return
  }
  void app.postgresLost?.then((error) => {
    log.fatal({ err: error }, 'private PostgreSQL stopped unexpectedly')
    void stop('The private PostgreSQL stopped unexpectedly', 1)
  })
  if (config.only === 'jobs') {
    printLine(`Health   ${publicUrl}/health`)
    return
  }
  printLine(`Inbox    ${publicUrl}`)
  if (config.only !== 'backend') printLine(`MCP      ${config.mcpPublicUrl ?? publicUrl}/mcp`)
  printLine(`API      ${publicUrl}/docs`)
  if (needsSetUp) {
    printLine('')
    printLine('Create the first owner here. The link works once:')
    printLine(`${publicUrl}/setup#${setUpToken(app.service.secrets.authSecret)}`)
  }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) {
    process.stderr.write(
      `Handrail cannot start:\n${error.mistakes.map((mistake) => `  - ${mistake}\n`).join('')}`,
    )
  } else if (error instanceof StartError || (error as { code?: string }).code === 'EADDRINUSE') {
    const portInUse = 'The port is already in use. Set PORT to a free one.'
    process.stderr.write(
      `Handrail cannot start: ${error instanceof StartError ? error.message : portInUse}\n`,
    )
  } else {
    process.stderr.write(`Handrail cannot start: ${error instanceof Error ? error.stack : String(error)}\n`)
  }
  process.exit(1)
})
