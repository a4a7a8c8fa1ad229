import { availableParallelism } from 'node:os'
import { type Values, variables } from './environment-variables.ts'
import { type OidcConfig, readOidc } from './lib/oidc-config.ts'

// Reads and checks all environment variables. Callers pass process.env.

const onlyRoles = ['backend', 'mcp', 'jobs'] as const

const providerUrls = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
} as const

export type Secrets = {
  apiKeyPepper: string
  encryptionKey: string
  authSecret: string
  internalToken: string
}

/** The environment variable of each secret. */
export const secretVariables = {
  apiKeyPepper: 'API_KEY_PEPPER',
  encryptionKey: 'ENCRYPTION_KEY',
  authSecret: 'AUTH_SECRET',
  internalToken: 'SERVICE_MCP_INTERNAL_TOKEN',
} as const satisfies Record<keyof Secrets, keyof Values>

/** Contains no secrets, so it can be printed. */
export type Config = {
  only: (typeof onlyRoles)[number] | undefined
  host: string
  port: number
  publicUrl: string | undefined
  trustProxy: number
  maxConnections: number
  workers: number
  logLevel: Values['LOG_LEVEL']
  dataDir: string
  databasePool: number
  rateLimit: number
  rateBurst: number
  signInLimit: number
  oidc: OidcConfig | undefined
  passwordSignIn: boolean
  metricsPort: number | undefined
  mailFrom: string | undefined
  slackApiUrl: string
  analyst: { model: string; provider: 'openai' | 'anthropic'; baseUrl: string } | undefined
  callbackAllowCidrs: string[]
  pushServices: string[]
  mcpPublicUrl: string | undefined
  serviceApp: string | undefined
  backendUrl: string | undefined
  apiBaseUrl: string | undefined
  kvUrl: string | undefined
}

/** Secrets, and URLs that contain passwords. Never printed. */
export type SecretConfig = {
  databaseUrl: string | undefined
  databaseDirectUrl: string | undefined
  metricsToken: string | undefined
  smtpUrl: string | undefined
  kvToken: string | undefined
  oidcClientSecret: string | undefined
  analystKey: string | undefined
  backupPassphrase: string | undefined
  secrets: Partial<Secrets>
}

export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly mistakes: string[]
  constructor(mistakes: string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}

/**
 * Reads and checks all variables, and reports all mistakes together. `withoutSecrets` is for
 * backup, restore and move, which need no secrets or check them themselves.
 */
export function readConfig(
  environment: Record<string, string | undefined>,
  argv: string[] = [],
  { withoutSecrets = false } = {},
): { config: Config; secretConfig: SecretConfig } {
  const mistakes: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { schema }] of Object.entries(variables)) {
    // An empty variable counts as unset, because compose files and CI set empty ones.
    const result = schema.safeParse(environment[name] === '' ? undefined : environment[name])
    if (result.success) values[name] = result.data
    else mistakes.push(`${name} ${result.error.issues[0]!.message}.`)
  }
  const only = parseOnly(argv, mistakes)
  const env = values as Values
  // Invalid values have been reported above; this only checks which variables are set.
  const isSet: IsSet = (name) => (environment[name] ?? '') !== ''
  checkCombinations(isSet, only, withoutSecrets, mistakes)
  if (env.RATE_LIMIT > env.RATE_BURST) mistakes.push('RATE_BURST must be at least RATE_LIMIT.')
  const oidc = readOidc(env, isSet, mistakes)
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return {
    config: {
      only,
      host: env.HOST,
      port: env.PORT,
      publicUrl: env.PUBLIC_URL,
      trustProxy: env.TRUST_PROXY,
      maxConnections: env.MAX_CONNECTIONS,
      workers: only === 'jobs' ? 1 : (env.WORKERS ?? defaultWorkers(availableParallelism())),
      logLevel: env.LOG_LEVEL,
      dataDir: env.DATA_DIR,
      databasePool: env.DATABASE_POOL,
      rateLimit: env.RATE_LIMIT,
      rateBurst: env.RATE_BURST,
      signInLimit: env.SIGN_IN_LIMIT,
      oidc,
      passwordSignIn: env.PASSWORD_SIGN_IN === 'on',
      metricsPort: env.METRICS_PORT,
      mailFrom: env.MAIL_FROM,
      slackApiUrl: env.SLACK_API_URL,
      analyst:
        env.ANALYST_MODEL === undefined
          ? undefined
          : {
              model: env.ANALYST_MODEL,
              provider: env.ANALYST_PROVIDER,
              baseUrl: env.ANALYST_BASE_URL ?? providerUrls[env.ANALYST_PROVIDER],
            },
      callbackAllowCidrs: env.CALLBACK_ALLOW_CIDRS,
      pushServices: env.PUSH_SERVICES,
      mcpPublicUrl: env.SERVICE_MCP_PUBLIC_URL,
      serviceApp: env.SERVICE_APP,
      backendUrl: env.BACKEND_URL,
      apiBaseUrl: env.SERVICE_API_BASE_URL ?? env.BACKEND_URL,
      kvUrl: env.KV_REST_API_URL,
    },
    secretConfig: {
      databaseUrl: env.DATABASE_URL,
      databaseDirectUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
      metricsToken: env.METRICS_TOKEN,
      smtpUrl: env.SMTP_URL,
      kvToken: env.KV_REST_API_TOKEN,
      oidcClientSecret: env.OIDC_CLIENT_SECRET,
      analystKey: env.ANALYST_API_KEY,
      backupPassphrase: env.BACKUP_PASSPHRASE,
      secrets: Object.fromEntries(
        Object.entries(secretVariables).flatMap(([key, name]) =>
          env[name] === undefined ? [] : [[key, env[name]]],
        ),
      ),
    },
  }
}

export function defaultWorkers(cores: number): number {
  return Math.min(Math.max(cores - 1, 1), 8)
}

// The private PostgreSQL allows 100 connections. The other ten are for the primary process and for
// commands.
const workerConnections = 90

/**
 * `databasePool` of a worker on the private PostgreSQL. Each worker needs one more connection to
 * listen for wake-ups.
 */
export function poolOnPrivatePostgres({
  databasePool,
  workers,
}: Pick<Config, 'databasePool' | 'workers'>): number {
  return Math.min(databasePool, Math.floor(workerConnections / workers) - 1)
}

function parseOnly(argv: string[], mistakes: string[]): Config['only'] {
  const words = argv.flatMap((word) =>
    word.startsWith('--only=') ? ['--only', word.slice('--only='.length)] : [word],
  )
  const [flag, role, other] = words
  if (flag === undefined) return undefined
  const roles = new Intl.ListFormat('en', { type: 'disjunction' }).format(onlyRoles)
  const refuse = (mistake: string): undefined => {
    mistakes.push(mistake)
  }
  const refuseUnknown = (word: string) =>
    refuse(`${word} is not an argument of the service. The only one is --only, followed by ${roles}.`)
  if (flag !== '--only') return refuseUnknown(flag)
  const found = onlyRoles.find((name) => name === role)
  if (!found) return refuse(`--only must be followed by ${roles}.`)
  if (other === '--only') return refuse('--only can be given only once.')
  if (other !== undefined) return refuseUnknown(other)
  return found
}

type IsSet = (name: keyof Values) => boolean

function checkCombinations(
  isSet: IsSet,
  only: Config['only'],
  withoutSecrets: boolean,
  mistakes: string[],
): void {
  if (only === 'mcp') checkSeparateMcp(isSet, mistakes)
  if (isSet('DATABASE_URL') && !withoutSecrets) {
    for (const name of Object.values(secretVariables)) {
      if (!isSet(name)) mistakes.push(`${name} is required with DATABASE_URL: all nodes must share it.`)
    }
  }
  if (isSet('DATABASE_DIRECT_URL') && !isSet('DATABASE_URL')) {
    mistakes.push('DATABASE_DIRECT_URL requires DATABASE_URL, which is not set.')
  }
  if (isSet('KV_REST_API_URL') && !isSet('KV_REST_API_TOKEN')) {
    mistakes.push('KV_REST_API_TOKEN is required with KV_REST_API_URL.')
  }
  if (isSet('ANALYST_MODEL') && !isSet('ANALYST_API_KEY') && !isSet('ANALYST_BASE_URL')) {
    mistakes.push('ANALYST_API_KEY is required with ANALYST_MODEL, unless ANALYST_BASE_URL is set.')
  }
  if (isSet('SMTP_URL') && !isSet('MAIL_FROM')) mistakes.push('MAIL_FROM is required with SMTP_URL.')
}

/** A separate MCP server needs a backend, and a key-value store or a database for MCP sessions. */
function checkSeparateMcp(isSet: IsSet, mistakes: string[]): void {
  for (const name of ['BACKEND_URL', 'SERVICE_MCP_INTERNAL_TOKEN', 'SERVICE_MCP_PUBLIC_URL'] as const) {
    if (!isSet(name)) mistakes.push(`${name} is required with --only mcp.`)
  }
  if (!isSet('KV_REST_API_URL') && !isSet('DATABASE_URL')) {
    for (const name of ['KV_REST_API_URL', 'KV_REST_API_TOKEN'] as const)
      if (!isSet(name))
        mistakes.push(
          `${name} is required with --only mcp, unless DATABASE_URL is set: MCP sessions are then stored in the database.`,
        )
  }
}
