import { setMaxListeners } from 'node:events'
import type { Config, SecretConfig } from './config.ts'
import type { Service } from './domain/service.ts'
import { readOpenTasks } from './domain/tasks/open-figures.ts'
import { createWaits } from './domain/tasks/waits.ts'
import { createPeople } from './domain/workspaces/people.ts'
import { createAddressRule } from './lib/address-rule.ts'
import { createLogger } from './lib/logger.ts'
import { storeKindOf } from './lib/mcp-session-id.ts'
import { addOpenTaskGauges, addRuleGauge, createMetrics } from './lib/metrics.ts'
import type { DocumentLimits, OutboundHttp } from './lib/outbound-http.ts'
import { createSlackApi } from './lib/slack-api.ts'
import { openPrivatePostgres } from './postgres/private-postgres.ts'
import { originsOf } from './public-url.ts'
import { checkFingerprints, loadSecrets, signUnsignedAuditHeads } from './secrets.ts'
import { openDatabase } from './storage/engine/database.ts'
import { countRulesByState } from './storage/rules/count-rules.ts'

export type OpenOptions = {
  config: Config
  secretConfig: SecretConfig
  /** Only one `service` runs per data folder. A `command` may run beside it. */
  as: 'service' | 'command'
  /** Fails if migrations or start-up SQL are pending, instead of applying them. */
  refusesPendingChanges?: boolean
  /** With PORT=0 and no PUBLIC_URL, known only after the port is bound. */
  publicUrl: string
  /** Prints the progress of the start for people. */
  printLine(line: string): void
}

export type OpenedService = Awaited<ReturnType<typeof openService>>

/**
 * What use cases work with, including the database. CLI commands need nothing else, so they do not
 * load the entry points.
 */
export async function openService(options: OpenOptions) {
  const { config, secretConfig, as, refusesPendingChanges = false, publicUrl, printLine } = options
  const log = createLogger(config.logLevel)
  const metrics = createMetrics()
  const postgres = secretConfig.databaseUrl
    ? undefined
    : await openPrivatePostgres({
        dataDir: config.dataDir,
        as,
        printLine,
        log: (message, fields) => log.warn(fields ?? {}, message),
      })
  try {
    const database = await openDatabase({
      url: secretConfig.databaseUrl ?? postgres!.connectionString,
      directUrl: secretConfig.databaseDirectUrl ?? postgres!.connectionString,
      poolSize: config.databasePool,
      killStalledConnections: as === 'service',
      refusesPendingChanges,
      log,
    })
    try {
      if (as === 'service') {
        addOpenTaskGauges(metrics, () => readOpenTasks(database))
        addRuleGauge(metrics, () => countRulesByState(database))
      }
      const secrets = await loadSecrets(database, config.dataDir, secretConfig.secrets)
      await checkFingerprints(database, secrets)
      await signUnsignedAuditHeads(database, secrets, log)
      const drain = createDrain()
      const hasMcp = as === 'service' && config.only === undefined
      const documentClient = createDocumentClient(config)
      const service: Service = {
        database,
        people: createPeople({
          database,
          log,
          authSecret: secrets.authSecret,
          publicUrl,
          trustedOrigins: originsOf(publicUrl, config.publicUrl),
        }),
        waits: createWaits(database, drain.signal, metrics, log),
        log,
        metrics,
        publicUrl,
        secrets,
        sendMail: await chooseMailer(config, secretConfig),
        webPush: { services: config.pushServices, contact: pushContact(config, publicUrl) },
        slack: createSlackApi(config.slackApiUrl),
        singleSignOn: await chooseSingleSignOn(config, secretConfig, publicUrl),
        passwordSignIn: config.passwordSignIn,
        mayCall: createAddressRule(config.callbackAllowCidrs),
        fetchDocument: documentClient.fetchDocument,
        mcpUrl: config.mcpPublicUrl ?? (hasMcp ? publicUrl : undefined),
        reachesSession: (sessionId) =>
          config.mcpPublicUrl !== undefined || storeKindOf(sessionId) === (config.kvUrl ? 'kv' : 'database'),
        draining: drain.signal,
      }
      return {
        service,
        secrets,
        postgresLost: postgres?.lost,
        drain: () => drain.abort(),
        async close() {
          await documentClient.close()
          await database.close()
          await postgres?.close()
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

/** The HTTP client is created on first use, because most processes never fetch a document. */
function createDocumentClient({ callbackAllowCidrs }: Config) {
  let loading: Promise<OutboundHttp> | undefined
  return {
    async fetchDocument(url: string, limits: DocumentLimits) {
      loading ??= import('./lib/outbound-http.ts').then(({ createOutboundHttp }) =>
        createOutboundHttp({ allowedCidrs: callbackAllowCidrs }),
      )
      return await (await loading).get(url, limits)
    },
    close: async () => await (await loading)?.close(),
  }
}

/** The mailer is loaded only if mail is configured. */
async function chooseMailer({ mailFrom }: Config, { smtpUrl }: SecretConfig): Promise<Service['sendMail']> {
  if (!smtpUrl) return undefined
  const { createMailer } = await import('./lib/mail.ts')
  return createMailer(smtpUrl, mailFrom!)
}

/** Push services require a contact of the operator. A local trial has neither an address nor an https URL. */
function pushContact({ mailFrom }: Config, publicUrl: string): string {
  // MAIL_FROM may be `Handrail <mail@example.com>`.
  const address = mailFrom?.match(/[^\s<>]+@[^\s<>]+/)?.[0]
  if (address) return `mailto:${address}`
  return publicUrl.startsWith('https:') ? publicUrl : 'mailto:handrail@localhost'
}

/** The OpenID Connect client is loaded only if an identity provider is configured. */
async function chooseSingleSignOn(
  { oidc }: Config,
  { oidcClientSecret }: SecretConfig,
  publicUrl: string,
): Promise<Service['singleSignOn']> {
  if (!oidc) return undefined
  const { createOidcClient } = await import('./lib/oidc-client.ts')
  const { issuer, clientId, name, domains, joins } = oidc
  const redirectUri = `${publicUrl}/single-sign-on`
  const client = createOidcClient({ issuer, clientId, clientSecret: oidcClientSecret!, redirectUri })
  return { name, domains, joins, client }
}

/**
 * Aborted when the service drains. Every wait listens to it, so the number of listeners is not
 * limited.
 */
export function createDrain(): AbortController {
  const drain = new AbortController()
  setMaxListeners(0, drain.signal)
  return drain
}
