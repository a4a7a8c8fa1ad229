import { composeService, type House } from './compose.ts'
import { ConfigError, readConfig } from './config.ts'
import { setUpIsNeeded, setUpToken } from './domain/workspaces/set-up.ts'
import { listen } from './listen.ts'
import { PrivatePostgresError } from './postgres/private-postgres-error.ts'
import { version } from './version.ts'

const drainMilliseconds = 25_000

/** Read the configuration, compose, listen, and drain when told to. */
async function main(): Promise<void> {
  const { config, hidden } = readConfig(process.env, process.argv.slice(2))
  say(`Handrail ${version}`)
  const door = await listen(config.host, config.port)
  const metricsDoor =
    config.metricsPort === undefined ? undefined : await listen(config.host, config.metricsPort)
  const publicUrl = config.publicUrl ?? `http://${hostInUrl(config.host)}:${door.port}`
  let house: House
  try {
    house = await composeService({ config, hidden, as: 'service', publicUrl, say })
  } catch (error) {
    await Promise.all([door.close(0), metricsDoor?.close(0)])
    throw error
  }
  const { service, app } = house
  door.serve(app.fetch)
  metricsDoor?.serve(async () => {
    const { registry } = service.metrics
    return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } })
  })

  let stopping = false
  const stop = async (reason: string, exitCode: number) => {
    // A second signal means it: the first one's patience is over.
    if (stopping) process.exit(1)
    stopping = true
    say(`${reason}: finishing what was begun`)
    house.drain()
    await Promise.all([door.close(drainMilliseconds), metricsDoor?.close(0)])
    await house.close()
    process.exit(exitCode)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal, 0))
  void house.postgresLost?.then((error) => {
    service.log.fatal({ err: error }, 'the private PostgreSQL is gone')
    void stop('The private PostgreSQL is gone', 1)
  })

  say(`Inbox    ${publicUrl}`)
  say(`MCP      ${publicUrl}/mcp`)
  say(`API      ${publicUrl}/docs`)
  if (await setUpIsNeeded(service)) {
    say('')
    say('Make the first owner here. The link works once:')
    say(`${publicUrl}/setup#${setUpToken(service.secrets.authSecret)}`)
  }
}

function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) {
    process.stderr.write(
      `Handrail cannot start:\n${error.mistakes.map((mistake) => `  - ${mistake}\n`).join('')}`,
    )
  } else if (error instanceof PrivatePostgresError || (error as { code?: string }).code === 'EADDRINUSE') {
    const inUse = 'Another program listens on this port. Set PORT to a free one.'
    process.stderr.write(
      `Handrail cannot start: ${error instanceof PrivatePostgresError ? error.message : inUse}\n`,
    )
  } else {
    process.stderr.write(`Handrail cannot start: ${error instanceof Error ? error.stack : String(error)}\n`)
  }
  process.exit(1)
})
