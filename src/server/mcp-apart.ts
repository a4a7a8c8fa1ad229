import type { Config, Hidden } from './config.ts'
import { createLogger, type Logger } from './lib/logger.ts'
import { createMetrics } from './lib/metrics.ts'
import { createCallerLimit } from './lib/request-limit.ts'
import { createBackend } from './mcp/backend.ts'
import { createMcpHealth } from './mcp/health.ts'
import { createKvSessions } from './mcp/kv-sessions.ts'
import { openMcpDoor, splitByPath } from './mcp-door.ts'
import { createDrain, type OpenOptions } from './open-service.ts'
import { pathOf } from './public-url.ts'
import { checkFingerprints, loadSecrets } from './secrets.ts'
import { type Database, openDatabase } from './storage/database.ts'
import { createSessions } from './storage/sessions.ts'
import { version } from './version.ts'

export type McpApart = Awaited<ReturnType<typeof composeMcpApart>>

/** `--only mcp`: the agents' door alone, with a backend elsewhere; sessions in a key-value store, or else in the database. */
export async function composeMcpApart({ config, hidden, publicUrl }: Omit<OpenOptions, 'as' | 'say'>) {
  const log = createLogger(config.logLevel)
  const metrics = createMetrics()
  const drain = createDrain()
  const database = config.kvUrl ? undefined : await openSharedDatabase(config, hidden, log)
  const store = database ? createSessions(database) : createKvSessions(config.kvUrl!, hidden.kvToken!, log)
  const backend = createBackend({
    apiBaseUrl: config.apiBaseUrl!,
    backendUrl: config.backendUrl!,
    fetch,
    internalToken: hidden.secrets.internalToken!,
    apiKeyPepper: hidden.secrets.apiKeyPepper,
  })
  const keyLimit = createCallerLimit(config)
  const mcp = openMcpDoor({
    config,
    publicUrl,
    log,
    metrics,
    draining: drain.signal,
    keyLimit,
    store,
    backend,
  })
  const health = createMcpHealth({
    backend,
    store,
    storeName: database ? 'database' : 'kv',
    version,
    draining: drain.signal,
    basePath: pathOf(publicUrl),
  })
  return {
    log,
    metrics,
    fetch: splitByPath(pathOf(publicUrl), mcp.app.fetch, health),
    drain: () => drain.abort(),
    async close() {
      await mcp.close()
      await database?.close()
    },
  }
}

async function openSharedDatabase(config: Config, hidden: Hidden, log: Logger): Promise<Database> {
  const database = await openDatabase({
    url: hidden.databaseUrl!,
    directUrl: hidden.databaseDirectUrl!,
    poolSize: config.databasePool,
    endSilent: true,
    log,
  })
  try {
    await checkFingerprints(database, await loadSecrets(config.dataDir, hidden.secrets))
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
