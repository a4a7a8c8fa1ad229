import { setMaxListeners } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { HttpBindings } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Config, Hidden } from './config.ts'
import type { Analyst } from './domain/feedback/analyst.ts'
import { createBuiltInAnalyst } from './domain/feedback/built-in-analyst.ts'
import type { Service } from './domain/service.ts'
import { createWaits } from './domain/tasks/waits.ts'
import { createKeyLookup } from './domain/workspaces/find-key-owner.ts'
import { createPeople } from './domain/workspaces/people.ts'
import { type Jobs, startJobs } from './jobs/jobs.ts'
import { callInside, callOutside } from './jobs/push.ts'
import { readClientAddress } from './lib/client-address.ts'
import { createInsideRequest } from './lib/inside-request.ts'
import { createLogger, type Logger } from './lib/logger.ts'
import { createMailer } from './lib/mail.ts'
import { createMetrics, type Metrics } from './lib/metrics.ts'
import { createOutboundHttp } from './lib/outbound-http.ts'
import { createLimit } from './lib/request-limit.ts'
import type { SessionStore } from './lib/session-store.ts'
import { type Backend, createBackend } from './mcp/backend.ts'
import { createMcpEndpoint, isMcpPath } from './mcp/endpoint.ts'
import { createMcpHealth } from './mcp/health.ts'
import { createKvSessions } from './mcp/kv-sessions.ts'
import { openPrivatePostgres } from './postgres/private-postgres.ts'
import { createApp } from './rest/app.ts'
import { checkFingerprints, loadSecrets } from './secrets.ts'
import { type Database, openDatabase } from './storage/database.ts'
import { createEndings } from './storage/end-task.ts'
import { createNewTasks } from './storage/new-tasks.ts'
import { createSessions } from './storage/sessions.ts'
import { createTaskReads } from './storage/tasks.ts'
import { version } from './version.ts'

export type Fetch = (request: Request, bindings?: HttpBindings) => Response | Promise<Response>
export type House = Awaited<ReturnType<typeof composeService>>

export type ComposeOptions = {
  config: Config
  hidden: Hidden
  /** A service is alone on its data folder; a command of the CLI comes and goes beside it. */
  as: 'service' | 'tool'
  /** Where people find the service, once the port is known. */
  publicUrl: string
  /** The few lines that a person reads at start. */
  say(line: string): void
}

/** The one place that builds every object, by hand and in order. `close` takes it all down again. */
export async function composeService({ config, hidden, as, publicUrl, say }: ComposeOptions) {
  const log = createLogger(config.logLevel)
  const metrics = createMetrics()
  const postgres = hidden.databaseUrl
    ? undefined
    : await openPrivatePostgres({
        dataDir: config.dataDir,
        as,
        say,
        note: (what, error) => log.warn({ err: error }, what),
      })
  try {
    const secrets = await loadSecrets(config.dataDir, hidden.secrets)
    const database = await openDatabase({
      url: hidden.databaseUrl ?? postgres!.connectionString,
      directUrl: hidden.databaseDirectUrl ?? postgres!.connectionString,
      poolSize: config.databasePool,
      endSilent: as === 'service',
      log,
    })
    try {
      await checkFingerprints(database, secrets)
      const drain = createDrain()
      const hasMcp = as === 'service' && config.only === undefined
      const hasJobs = as === 'service' && (config.only === undefined || config.only === 'jobs')
      const outbound = createOutboundHttp({ allowedCidrs: config.callbackAllowCidrs })
      const origins = originsOf(publicUrl, config.publicUrl)
      const service: Service = {
        database,
        newTasks: createNewTasks(database),
        taskReads: createTaskReads(database),
        endings: createEndings(database),
        people: createPeople({
          database,
          log,
          authSecret: secrets.authSecret,
          publicUrl,
          trustedOrigins: origins,
        }),
        waits: createWaits(database, drain.signal, metrics, log),
        log,
        metrics,
        publicUrl,
        secrets,
        sendMail: hidden.smtpUrl ? createMailer(hidden.smtpUrl, config.mailFrom!) : undefined,
        mayCall: outbound.mayConnect,
        mcpUrl: config.mcpPublicUrl ?? (hasMcp ? publicUrl : undefined),
        draining: drain.signal,
      }
      let jobs: Jobs | undefined
      const rest = createApp({
        service,
        ...createKeyLookup(database, secrets.apiKeyPepper, log),
        origins,
        version,
        basePath: pathOf(publicUrl),
        trustProxy: config.trustProxy,
        internalToken: secrets.internalToken,
        jobsAreWell: hasJobs ? () => jobs?.areWell() ?? true : undefined,
        metricsToken: hidden.metricsToken,
        // The same from src/server and dist/server.
        webFolder: fileURLToPath(new URL('../../dist/web', import.meta.url)),
        keyLimit: createLimit(
          config.rateLimit === 0 ? 0 : config.rateBurst,
          config.rateBurst / (config.rateLimit || 1),
        ),
        guessLimit: createLimit(config.signInLimit, 60),
        accountLimit: createLimit(config.signInLimit * 10, 60),
        addressLimit: createLimit(config.signInLimit * 4, 60),
      })
      // The MCP door knows the backend only by its client; in one process that client's network is the application itself.
      const mcp = !hasMcp
        ? undefined
        : composeMcp({
            config,
            publicUrl,
            log,
            metrics,
            draining: drain.signal,
            store: config.kvUrl
              ? createKvSessions(config.kvUrl, hidden.kvToken!, log)
              : createSessions(database),
            backend: createBackend({
              apiBaseUrl: publicUrl,
              backendUrl: publicUrl,
              fetch: async (url, init) => await rest.fetch(createInsideRequest(url, init)),
              internalToken: secrets.internalToken,
              apiKeyPepper: secrets.apiKeyPepper,
            }),
          })
      if (hasJobs) {
        const pushTo = mcp
          ? callInside(mcp.app.fetch, publicUrl)
          : config.mcpPublicUrl && callOutside(config.mcpPublicUrl)
        jobs = startJobs(
          service,
          { callback: outbound.post, push: pushTo || undefined },
          await chooseAnalyst(config, hidden, log),
        )
      }
      return {
        service,
        app: rest,
        fetch: serveRole(config.only, pathOf(publicUrl), rest.fetch, mcp?.app.fetch),
        postgresLost: postgres?.lost,
        drain: () => drain.abort(),
        async close() {
          await jobs?.close()
          await outbound.close()
          await mcp?.close()
          await database.close()
          await postgres?.close()
          await flush(log)
        },
      }
    } catch (error) {
      await database.close()
      throw error
    }
  } catch (error) {
    await postgres?.close()
    throw error
  }
}

/** `--only mcp`: the agents' door alone, with a backend elsewhere; sessions in a key-value store, or else in the database. */
export async function composeMcpApart({ config, hidden, publicUrl }: Omit<ComposeOptions, 'as' | 'say'>) {
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
  const mcp = composeMcp({ config, publicUrl, log, metrics, draining: drain.signal, store, backend })
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
      await flush(log)
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

function composeMcp(options: {
  config: Config
  publicUrl: string
  log: Logger
  metrics: Metrics
  draining: AbortSignal
  store: SessionStore
  backend: Backend
}) {
  const { config, publicUrl, ...rest } = options
  const mcpUrl = config.mcpPublicUrl ?? publicUrl
  return createMcpEndpoint({
    ...rest,
    version,
    basePath: pathOf(publicUrl),
    publicUrl: mcpUrl,
    origins: [...originsOf(publicUrl, config.publicUrl), new URL(mcpUrl).origin],
    defaultApp: config.serviceApp,
    clientAddress: (request, bindings) => {
      // conninfo wants a Hono context; the bindings are all it reads of it.
      const socket = getConnInfo({ env: bindings } as Parameters<typeof getConnInfo>[0]).remote.address
      return readClientAddress(request.headers, socket, config.trustProxy)
    },
  })
}

/** What talks to models is loaded only where one is configured. */
async function chooseAnalyst({ analyst }: Config, { analystKey }: Hidden, log: Logger): Promise<Analyst> {
  if (!analyst) return createBuiltInAnalyst()
  const { createLanguageModelAnalyst } = await import('./domain/feedback/language-model-analyst.ts')
  return createLanguageModelAnalyst({ ...analyst, apiKey: analystKey, log })
}

/** Everyone who waits listens to it, however many they are. */
function createDrain(): AbortController {
  const drain = new AbortController()
  setMaxListeners(0, drain.signal)
  return drain
}

/** A process for jobs alone answers whether it is well, and nothing else. */
function serveRole(only: Config['only'], basePath: string, rest: Fetch, mcp: Fetch | undefined): Fetch {
  if (mcp) return splitByPath(basePath, mcp, rest)
  if (only !== 'jobs') return rest
  return (request, bindings) =>
    new URL(request.url).pathname === `${basePath}/health`
      ? rest(request, bindings)
      : new Response('This process runs jobs only.\n', { status: 404 })
}

function splitByPath(basePath: string, mcp: Fetch, other: Fetch): Fetch {
  return (request, bindings) => {
    const { pathname } = new URL(request.url)
    const below = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : pathname
    return isMcpPath(below) ? mcp(request, bindings) : other(request, bindings)
  }
}

function pathOf(url: string): string {
  return new URL(url).pathname.replace(/\/$/, '')
}

/** Without PUBLIC_URL a browser may say localhost where we say 127.0.0.1; both are this machine. */
function originsOf(publicUrl: string, given: string | undefined): string[] {
  const { origin, hostname, port } = new URL(publicUrl)
  if (given !== undefined || !['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) return [origin]
  return ['127.0.0.1', 'localhost', '[::1]'].map((host) => `http://${host}:${port || 80}`)
}

function flush(log: Logger): Promise<void> {
  return new Promise((resolve) => log.flush(() => resolve()))
}
