import { setTimeout as sleep } from 'node:timers/promises'
import { type App, composeService } from './compose.ts'
import { ConfigError, readConfig } from './config.ts'
import { isSetUpNeeded, setUpToken } from './domain/workspaces/set-up.ts'
import { StartError } from './lib/start-error.ts'
import { listen } from './listen.ts'
import type { McpApart } from './separate-mcp.ts'
import { version } from './version.ts'

const drainMilliseconds = 25_000
// So long the door stays open after SIGTERM: whoever hands us requests hears from /health to stop, and none is refused.
const noticeMilliseconds = 1_000

const metricsConnections = 100

/** Read the configuration, compose, listen, and drain when told to. */
async function main(): Promise<void> {
  const { config, secretConfig } = readConfig(process.env, process.argv.slice(2))
  printLine(`Handrail ${version}`)
  const door = await listen(config.host, config.port, config.maxConnections)
  const metricsDoor =
    config.metricsPort === undefined
      ? undefined
      : await listen(config.host, config.metricsPort, metricsConnections)
  const given = config.only === 'mcp' ? config.mcpPublicUrl : config.publicUrl
  const publicUrl = given ?? `http://${hostInUrl(config.host)}:${door.port}`
  const options = { config, secretConfig, publicUrl, as: 'service', printLine } as const
  let house: McpApart | App
  try {
    house =
      config.only === 'mcp'
        ? await (await import('./separate-mcp.ts')).composeMcpApart(options)
        : await composeService(options)
  } catch (error) {
    await Promise.all([door.close(0), metricsDoor?.close(0)])
    throw error
  }
  const { log, metrics } = 'service' in house ? house.service : house
  door.serve(house.fetch)
  metricsDoor?.serve(async () => {
    return new Response(await metrics.registry.metrics(), {
      headers: { 'content-type': metrics.registry.contentType },
    })
  })

  let stopping = false
  const stop = async (reason: string, exitCode: number) => {
    // A second signal means it: the first one's patience is over.
    if (stopping) process.exit(1)
    stopping = true
    printLine(`${reason}: finishing what was begun`)
    house.drain()
    if (reason === 'SIGTERM') await sleep(noticeMilliseconds)
    await door.close(drainMilliseconds - noticeMilliseconds)
    await metricsDoor?.close(noticeMilliseconds)
    await house.close()
    process.exit(exitCode)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal, 0))

  if (!('service' in house)) {
    printLine(`MCP      ${config.mcpPublicUrl ?? publicUrl}/mcp`)
    return
  }
  void house.postgresLost?.then((error) => {
    log.fatal({ err: error }, 'the private PostgreSQL is gone')
    void stop('The private PostgreSQL is gone', 1)
  })
  if (config.only === 'jobs') {
    printLine(`Health   ${publicUrl}/health`)
    return
  }
  printLine(`Inbox    ${publicUrl}`)
  if (config.only !== 'backend') printLine(`MCP      ${config.mcpPublicUrl ?? publicUrl}/mcp`)
  printLine(`API      ${publicUrl}/docs`)
  if (await isSetUpNeeded(house.service)) {
    printLine('')
    printLine('Make the first owner here. The link works once:')
    printLine(`${publicUrl}/setup#${setUpToken(house.service.secrets.authSecret)}`)
  }
}

function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
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
    const inUse = 'Another program listens on this port. Set PORT to a free one.'
    process.stderr.write(`Handrail cannot start: ${error instanceof StartError ? error.message : inUse}\n`)
  } else {
    process.stderr.write(`Handrail cannot start: ${error instanceof Error ? error.stack : String(error)}\n`)
  }
  process.exit(1)
})
