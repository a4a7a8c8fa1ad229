import type { Config, SecretConfig } from './config.ts'
import { createLogger, type Logger } from './lib/logger.ts'
import { createMetrics } from './lib/metrics.ts'
import { createCallerLimit } from './lib/request-limit.ts'
import type { Backend } from './mcp/backend.ts'
import { createMcpHealth } from './mcp/health.ts'
import { createKvSessions } from './mcp/kv-sessions.ts'
import { openMcpEntryPoint, splitByPath } from './mcp-entry-point.ts'
import { createDrain, type OpenOptions } from './open-service.ts'
import { pathOf } from './public-url.ts'
import { checkFingerprints, loadSecrets } from './secrets.ts'
import { type Database, openDatabase } from './storage/engine/database.ts'
import { createMcpSessionStore } from './storage/mcp-sessions/mcp-sessions.ts'
import { version } from './version.ts'

export type SeparateMcp = Awaited<ReturnType<typeof composeSeparateMcp>>

/**
 * `--only mcp`: the MCP entry point without the backend. Sessions are in a key-value store, or else
 * in the database.
 */
export async function composeSeparateMcp({
  config,
  secretConfig,
  publicUrl,
}: Omit<OpenOptions, 'as' | 'printLine'>) {
  const log = createLogger(config.logLevel)
  const metrics = createMetrics()
  const drain = createDrain()
  const database = config.kvUrl ? undefined : await openSharedDatabase(config, secretConfig, log)
  const store = database
    ? createMcpSessionStore(database, log)
    : createKvSessions(config.kvUrl!, secretConfig.kvToken!, log)
  const backend: Backend = {
    apiBaseUrl: config.apiBaseUrl!,
    backendUrl: config.backendUrl!,
    fetch,
    internalToken: secretConfig.secrets.internalToken!,
    apiKeyPepper: secretConfig.secrets.apiKeyPepper,
  }
  const callerLimit = createCallerLimit(config)
  const mcp = openMcpEntryPoint({
    config,
    publicUrl,
    log,
    metrics,
    draining: drain.signal,
    callerLimit,
    store,
    backend,
  })
  const health = createMcpHealth({
    backend,
    store,
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

async function openSharedDatabase(
  config: Config,
  secretConfig: SecretConfig,
  log: Logger,
): Promise<Database> {
  const database = await openDatabase({
    url: secretConfig.databaseUrl!,
    directUrl: secretConfig.databaseDirectUrl!,
    poolSize: config.databasePool,
    killStalledConnections: true,
    log,
  })
  try {
    await checkFingerprints(database, await loadSecrets(database, config.dataDir, secretConfig.secrets))
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
