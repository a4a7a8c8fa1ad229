import { fileURLToPath } from 'node:url'
import type { Config, SecretConfig } from './config.ts'
import { sendToBoth, sendToOwnMcp, sendToRemoteMcp } from './domain/delivery/send-to-mcp.ts'
import type { Analyst } from './domain/feedback/analyst.ts'
import { createBuiltInAnalyst } from './domain/feedback/built-in-analyst.ts'
import { createKeyLookup } from './domain/workspaces/find-key-owner.ts'
import { type Jobs, startJobs } from './jobs/jobs.ts'
import type { FetchHandler } from './lib/fetch-handler.ts'
import { createInternalRequest } from './lib/internal-request.ts'
import type { Logger } from './lib/logger.ts'
import { createOutboundHttp } from './lib/outbound-http.ts'
import { createCallerLimit, createLimit } from './lib/request-limit.ts'
import { createKvSessions } from './mcp/kv-sessions.ts'
import { openMcpEntryPoint, splitByPath } from './mcp-entry-point.ts'
import type { OpenedService, OpenOptions } from './open-service.ts'
import { originsOf, pathOf } from './public-url.ts'
import { createApp } from './rest/app.ts'
import { createMcpSessionStore } from './storage/mcp-sessions/mcp-sessions.ts'
import { version } from './version.ts'

/** The entry points of an opened service, and its jobs. */
export async function openEntryPoints(
  { config, secretConfig, publicUrl }: OpenOptions,
  { service, secrets }: OpenedService,
) {
  const { database, log, metrics, draining } = service
  const basePath = pathOf(publicUrl)
  const hasMcp = config.only === undefined
  const hasJobs = config.only === undefined || config.only === 'jobs'
  const outbound = createOutboundHttp({ allowedCidrs: config.callbackAllowCidrs })
  const callerLimit = createCallerLimit(config)
  let jobs: Jobs | undefined
  const rest = createApp({
    service,
    keys: createKeyLookup(database, secrets.apiKeyPepper, log),
    origins: originsOf(publicUrl, config.publicUrl),
    version,
    basePath,
    trustProxy: config.trustProxy,
    internalToken: secrets.internalToken,
    jobsAreHealthy: hasJobs ? () => jobs?.areHealthy() ?? true : undefined,
    metricsToken: secretConfig.metricsToken,
    // The relative path is the same from src/server and dist/server.
    webFolder: fileURLToPath(new URL('../../dist/web', import.meta.url)),
    clientsFolder: fileURLToPath(new URL('../../dist/clients', import.meta.url)),
    callerLimit,
    guessLimit: createLimit('guess', config.signInLimit, 60),
    accountLimit: createLimit('account', config.signInLimit * 10, 60),
    networkLimit: createLimit('address', config.signInLimit * 4, 60),
  })
  // The MCP entry point knows the backend only through its client, whose `fetch` is the REST
  // application in the same process.
  const mcp = !hasMcp
    ? undefined
    : openMcpEntryPoint({
        config,
        publicUrl,
        log,
        metrics,
        draining,
        callerLimit,
        store: config.kvUrl
          ? createKvSessions(config.kvUrl, secretConfig.kvToken!, log)
          : createMcpSessionStore(database, log),
        backend: {
          apiBaseUrl: publicUrl,
          backendUrl: publicUrl,
          fetch: async (url, init) => await rest.fetch(createInternalRequest(url, init)),
          internalToken: secrets.internalToken,
          apiKeyPepper: secrets.apiKeyPepper,
        },
      })
  if (hasJobs) {
    jobs = startJobs(
      service,
      { post: outbound.post, sendToMcp: chooseSendToMcp(config, publicUrl, mcp?.app.fetch) },
      await chooseAnalyst(config, secretConfig, log),
    )
  }
  return {
    app: rest,
    fetch: serveRole(config.only, basePath, rest.fetch, mcp?.app.fetch),
    async close() {
      await jobs?.close()
      await outbound.close()
      await mcp?.close()
    },
  }
}

/**
 * How deliveries of kind `sse` are sent to the MCP server. Undefined if this process knows none: it
 * then leaves these deliveries to other processes, for a day.
 */
function chooseSendToMcp({ mcpPublicUrl }: Config, publicUrl: string, mcp: FetchHandler | undefined) {
  const remote = mcpPublicUrl === undefined ? undefined : sendToRemoteMcp(mcpPublicUrl)
  if (!mcp) return remote
  const own = sendToOwnMcp(mcp, publicUrl)
  // The configured URL may lead to this process, or to a separate server with its own sessions.
  return remote && mcpPublicUrl !== publicUrl ? sendToBoth(own, remote) : own
}

/** The language model analyst is loaded only if a model is configured. */
async function chooseAnalyst(
  { analyst }: Config,
  { analystKey }: SecretConfig,
  log: Logger,
): Promise<Analyst> {
  if (!analyst) return createBuiltInAnalyst()
  const { createLanguageModelAnalyst } = await import('./domain/feedback/language-model-analyst.ts')
  return createLanguageModelAnalyst({ ...analyst, apiKey: analystKey, log })
}

/** A process with --only jobs serves /health and nothing else. */
function serveRole(
  only: Config['only'],
  basePath: string,
  rest: FetchHandler,
  mcp: FetchHandler | undefined,
): FetchHandler {
  if (mcp) return splitByPath(basePath, mcp, rest)
  if (only !== 'jobs') return rest
  return (request, bindings) =>
    new URL(request.url).pathname === `${basePath}/health`
      ? rest(request, bindings)
      : new Response('This process runs jobs only.\n', { status: 404 })
}
