import { fileURLToPath } from 'node:url'
import type { Config, Hidden } from './config.ts'
import type { Service } from './domain/service.ts'
import { createWaits } from './domain/tasks/waits.ts'
import { createKeyLookup } from './domain/workspaces/find-key-owner.ts'
import { createPeople } from './domain/workspaces/people.ts'
import { createLogger, type Logger } from './lib/logger.ts'
import { createMailer } from './lib/mail.ts'
import { createMetrics } from './lib/metrics.ts'
import { createLimit } from './lib/request-limit.ts'
import { openPrivatePostgres } from './postgres/private-postgres.ts'
import { createApp } from './rest/app.ts'
import { checkFingerprints, loadSecrets } from './secrets.ts'
import { openDatabase } from './storage/database.ts'
import { version } from './version.ts'

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
  const secrets = await loadSecrets(config.dataDir, hidden.secrets)
  const postgres = hidden.databaseUrl
    ? undefined
    : await openPrivatePostgres({ dataDir: config.dataDir, as, say })
  try {
    const database = await openDatabase({
      url: hidden.databaseUrl ?? postgres!.connectionString,
      directUrl: hidden.databaseDirectUrl ?? postgres!.connectionString,
      poolSize: config.databasePool,
      log,
    })
    try {
      await checkFingerprints(database, secrets)
      const drain = new AbortController()
      const origins = originsOf(publicUrl, config)
      const service: Service = {
        database,
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
        draining: drain.signal,
      }
      const app = createApp({
        service,
        findKeyOwner: createKeyLookup(database, secrets.apiKeyPepper, log),
        origins,
        version,
        basePath: new URL(publicUrl).pathname.replace(/\/$/, ''),
        trustProxy: config.trustProxy,
        metricsToken: hidden.metricsToken,
        webFolder: fileURLToPath(new URL('../web', import.meta.url)),
        keyLimit: createLimit(
          config.rateLimit === 0 ? 0 : config.rateBurst,
          config.rateBurst / (config.rateLimit || 1),
        ),
        accountLimit: createLimit(config.signInLimit, 60),
        addressLimit: createLimit(config.signInLimit * 4, 60),
      })
      return {
        service,
        app,
        postgresLost: postgres?.lost,
        drain: () => drain.abort(),
        async close() {
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

/** Without PUBLIC_URL a browser may say localhost where we say 127.0.0.1; both are this machine. */
function originsOf(publicUrl: string, config: Config): string[] {
  const { origin, hostname, port } = new URL(publicUrl)
  if (config.publicUrl !== undefined || !['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
    return [origin]
  return ['127.0.0.1', 'localhost', '[::1]'].map((host) => `http://${host}:${port || 80}`)
}

function flush(log: Logger): Promise<void> {
  return new Promise((resolve) => log.flush(() => resolve()))
}
