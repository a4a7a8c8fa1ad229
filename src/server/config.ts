import ipaddr from 'ipaddr.js'
import { z } from 'zod'

// The only file that reads the environment. Every variable has a line here; the table in the docs is made from it.

const onlyRoles = ['backend', 'mcp', 'jobs'] as const
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

function whole(min: number, max: number) {
  return z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`)
}

function url(...protocols: string[]) {
  return z.string().refine(
    (text) => {
      try {
        return protocols.includes(new URL(text).protocol)
      } catch {
        return false
      }
    },
    `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  )
}

// libpq's addresses are not all URLs to WHATWG: postgres://user@/db?host=/socket has no host.
const postgresUrl = () =>
  z.string().regex(/^postgres(ql)?:\/\/\S+$/, 'must begin with postgres:// or postgresql://')
const baseUrl = () =>
  url('http:', 'https:')
    .refine((text) => {
      if (!URL.canParse(text)) return true
      const { username, password, search, hash } = new URL(text)
      return [username, password, search, hash].every((part) => part === '')
    }, 'must have no password, query or fragment in it')
    .transform((text) => text.replace(/\/+$/, ''))
const cidrs = () =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .refine(
      (parts) => parts.every((part) => ipaddr.isValidCIDR(part)),
      'must be networks such as 10.1.2.0/24, separated by commas',
    )
const secret = () => z.string().min(32, 'must be a long random string, 32 characters at least')

export const variables = {
  HOST: { schema: z.string().min(1).default('127.0.0.1'), about: 'The address to listen on.' },
  PORT: { schema: whole(0, 65_535).default(3000), about: 'The port to listen on. 0 takes any free one.' },
  PUBLIC_URL: {
    schema: baseUrl().optional(),
    about:
      'How the service is reached from outside. May have a path; the proxy passes it on unchanged. Default: http://HOST:PORT.',
  },
  TRUST_PROXY: {
    schema: whole(0, 10).default(0),
    about: 'How many proxies stand in front, so that the address of a caller is read from X-Forwarded-For.',
  },
  MAX_CONNECTIONS: {
    schema: whole(10, 1_000_000).default(20_000),
    about:
      'Connections the process serves at once; more are told to come back. An open stream or wait is one.',
  },
  LOG_LEVEL: {
    schema: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
    about: 'How much is logged, as JSON lines on standard error.',
  },
  DATA_DIR: {
    schema: z.string().min(1).default('./data'),
    about: 'Where the private PostgreSQL and generated secrets live. Not used with DATABASE_URL.',
  },
  DATABASE_URL: {
    schema: postgresUrl().optional(),
    about: 'A PostgreSQL (15 or newer) to use instead of the private one.',
  },
  DATABASE_DIRECT_URL: {
    schema: postgresUrl().optional(),
    about:
      'The same database without a pooler between, for LISTEN, migrations and locks. Default: DATABASE_URL.',
  },
  DATABASE_POOL: { schema: whole(2, 200).default(10), about: 'Connections to the database a process.' },
  API_KEY_PEPPER: {
    schema: secret().optional(),
    about: 'Secret for the HMAC of API keys. Needed with DATABASE_URL.',
  },
  ENCRYPTION_KEY: {
    schema: secret().optional(),
    about: 'Secret that webhook secrets are encrypted with. Needed with DATABASE_URL.',
  },
  AUTH_SECRET: {
    schema: secret().optional(),
    about: 'Secret that signs session cookies and encrypts second factors. Needed with DATABASE_URL.',
  },
  SERVICE_MCP_INTERNAL_TOKEN: {
    schema: secret().optional(),
    about: 'Shared secret between the MCP server and the backend. Needed with DATABASE_URL.',
  },
  CALLBACK_ALLOW_CIDRS: {
    schema: cidrs().default([]),
    about: 'Networks that callbacks may go to though they are not public, such as 10.1.2.0/24,127.0.0.0/8.',
  },
  SERVICE_MCP_PUBLIC_URL: {
    schema: baseUrl().optional(),
    about:
      'Where the MCP server is reached, by agents and by pushes of delivery sse. Default: PUBLIC_URL. Needed with --only mcp, and then at the backend and jobs as well.',
  },
  SERVICE_APP: {
    schema: z.string().max(128, 'must have 128 characters at most').optional(),
    about: 'The app that the MCP server fills in where an agent names none.',
  },
  BACKEND_URL: {
    schema: baseUrl().optional(),
    about: 'With --only mcp: where the backend is. It answers whose key a request has.',
  },
  SERVICE_API_BASE_URL: {
    schema: baseUrl().optional(),
    about: 'With --only mcp: where the REST API is. Default: BACKEND_URL.',
  },
  KV_REST_API_URL: {
    schema: baseUrl().optional(),
    about: 'A key-value store (Upstash REST protocol) for MCP sessions. Default: they live in the database.',
  },
  KV_REST_API_TOKEN: {
    schema: z.string().min(1).optional(),
    about: 'Its token. Needed with KV_REST_API_URL.',
  },
  RATE_LIMIT: {
    schema: whole(0, 1_000_000).default(50),
    about:
      'Requests per second, on average, per API key and per signed-in person; /mcp included. 0: no limit, nor one on MCP sessions and streams.',
  },
  RATE_BURST: {
    schema: whole(1, 1_000_000).default(200),
    about: 'Requests that an API key or a person may send at once.',
  },
  SIGN_IN_LIMIT: {
    schema: whole(0, 1_000_000).default(5),
    about:
      'Attempts to sign in a minute at an account from an address; four times as many an address, ten times an account. 0: no limit.',
  },
  ANALYST_MODEL: {
    schema: z.string().min(1).optional(),
    about:
      'The language model that writes feedback analyses. Default: the built-in analyst, without a model.',
  },
  ANALYST_PROVIDER: {
    schema: z.enum(['openai', 'anthropic'], 'must be openai or anthropic').default('openai'),
    about: 'The protocol it speaks: OpenAI’s chat completions, as most servers do, or Anthropic’s messages.',
  },
  ANALYST_BASE_URL: {
    schema: baseUrl().optional(),
    about: 'Where it is, such as http://localhost:11434/v1. Default: the address of the provider.',
  },
  ANALYST_API_KEY: {
    schema: z.string().min(1).optional(),
    about: 'Its key. Needed with ANALYST_MODEL unless ANALYST_BASE_URL is given.',
  },
  BACKUP_PASSPHRASE: {
    schema: z.string().min(12, 'must have 12 characters at least').optional(),
    about: 'Seals the secrets in a backup, with --passphrase. Default: it is asked for.',
  },
  METRICS_PORT: {
    schema: whole(0, 65_535).optional(),
    about: 'A port of its own for Prometheus metrics, on HOST, without a token.',
  },
  METRICS_TOKEN: {
    schema: z.string().min(16, 'must have 16 characters at least').optional(),
    about: 'Opens /metrics on the main port to whoever sends it as a bearer token.',
  },
  SMTP_URL: {
    schema: url('smtp:', 'smtps:').optional(),
    about: 'A mail server for invitations, forgotten passwords and notifications.',
  },
  MAIL_FROM: {
    schema: z.string().regex(/@/, 'must be an address').optional(),
    about: 'The sender of mails. Needed with SMTP_URL.',
  },
} as const

const providerUrls = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
} as const

type Values = { [Name in keyof typeof variables]: z.output<(typeof variables)[Name]['schema']> }

export type Secrets = {
  apiKeyPepper: string
  encryptionKey: string
  authSecret: string
  internalToken: string
}

/** Which secret stands in which variable. */
export const secretVariables = {
  apiKeyPepper: 'API_KEY_PEPPER',
  encryptionKey: 'ENCRYPTION_KEY',
  authSecret: 'AUTH_SECRET',
  internalToken: 'SERVICE_MCP_INTERNAL_TOKEN',
} as const satisfies Record<keyof Secrets, keyof Values>

/** Free of secrets, so that it can be printed. */
export type Config = {
  only: (typeof onlyRoles)[number] | undefined
  host: string
  port: number
  publicUrl: string | undefined
  trustProxy: number
  maxConnections: number
  logLevel: Values['LOG_LEVEL']
  dataDir: string
  databasePool: number
  rateLimit: number
  rateBurst: number
  signInLimit: number
  metricsPort: number | undefined
  mailFrom: string | undefined
  analyst: { model: string; provider: 'openai' | 'anthropic'; baseUrl: string } | undefined
  callbackAllowCidrs: string[]
  mcpPublicUrl: string | undefined
  serviceApp: string | undefined
  backendUrl: string | undefined
  apiBaseUrl: string | undefined
  kvUrl: string | undefined
}

/** Addresses with passwords in them, and secrets. Never printed. */
export type SecretConfig = {
  databaseUrl: string | undefined
  databaseDirectUrl: string | undefined
  metricsToken: string | undefined
  smtpUrl: string | undefined
  kvToken: string | undefined
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
 * Reads everything, checks it as a whole, and reports all mistakes together. Who only carries data from place to place
 * may do so without the secrets.
 */
export function readConfig(
  environment: Record<string, string | undefined>,
  argv: string[] = [],
  { withoutSecrets = false } = {},
): { config: Config; secretConfig: SecretConfig } {
  const mistakes: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { schema }] of Object.entries(variables)) {
    // An empty variable counts as unset: compose files and CI write them so.
    const result = schema.safeParse(environment[name] === '' ? undefined : environment[name])
    if (result.success) values[name] = result.data
    else mistakes.push(`${name} ${result.error.issues[0]!.message}.`)
  }
  const only = readOnly(argv, mistakes)
  const env = values as Values
  // What was given but is wrong has been told; here it only counts that it was given.
  checkTogether((name) => (environment[name] ?? '') !== '', only, withoutSecrets, mistakes)
  if (env.RATE_LIMIT > env.RATE_BURST) mistakes.push('RATE_BURST must not be below RATE_LIMIT.')
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return {
    config: {
      only,
      host: env.HOST,
      port: env.PORT,
      publicUrl: env.PUBLIC_URL,
      trustProxy: env.TRUST_PROXY,
      maxConnections: env.MAX_CONNECTIONS,
      logLevel: env.LOG_LEVEL,
      dataDir: env.DATA_DIR,
      databasePool: env.DATABASE_POOL,
      rateLimit: env.RATE_LIMIT,
      rateBurst: env.RATE_BURST,
      signInLimit: env.SIGN_IN_LIMIT,
      metricsPort: env.METRICS_PORT,
      mailFrom: env.MAIL_FROM,
      analyst:
        env.ANALYST_MODEL === undefined
          ? undefined
          : {
              model: env.ANALYST_MODEL,
              provider: env.ANALYST_PROVIDER,
              baseUrl: env.ANALYST_BASE_URL ?? providerUrls[env.ANALYST_PROVIDER],
            },
      callbackAllowCidrs: env.CALLBACK_ALLOW_CIDRS,
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

function readOnly(argv: string[], mistakes: string[]): Config['only'] {
  const at = argv.indexOf('--only')
  if (at === -1) return undefined
  const role = argv[at + 1] as Config['only']
  if (role !== undefined && onlyRoles.includes(role)) return role
  mistakes.push(`--only must be followed by ${onlyRoles.join(' or ')}.`)
  return undefined
}

type Has = (name: keyof Values) => boolean

function checkTogether(has: Has, only: Config['only'], withoutSecrets: boolean, mistakes: string[]): void {
  if (only === 'mcp') needForMcpApart(has, mistakes)
  if (has('DATABASE_URL') && !withoutSecrets) {
    for (const name of Object.values(secretVariables)) {
      if (!has(name)) mistakes.push(`${name} is needed with DATABASE_URL: all nodes must share it.`)
    }
  }
  if (has('DATABASE_DIRECT_URL') && !has('DATABASE_URL')) {
    mistakes.push('DATABASE_DIRECT_URL goes with DATABASE_URL, which is not set.')
  }
  if (has('KV_REST_API_URL') && !has('KV_REST_API_TOKEN')) {
    mistakes.push('KV_REST_API_TOKEN is needed with KV_REST_API_URL.')
  }
  if (has('ANALYST_MODEL') && !has('ANALYST_API_KEY') && !has('ANALYST_BASE_URL')) {
    mistakes.push(
      'ANALYST_API_KEY is needed with ANALYST_MODEL, or ANALYST_BASE_URL of a server that asks for none.',
    )
  }
  if (has('SMTP_URL') && !has('MAIL_FROM')) mistakes.push('MAIL_FROM is needed with SMTP_URL.')
}

/** An MCP server apart needs no database, but everything it would otherwise find in it. */
function needForMcpApart(has: Has, mistakes: string[]): void {
  for (const name of ['BACKEND_URL', 'SERVICE_MCP_INTERNAL_TOKEN', 'SERVICE_MCP_PUBLIC_URL'] as const) {
    if (!has(name)) mistakes.push(`${name} is needed with --only mcp.`)
  }
  if (!has('KV_REST_API_URL') && !has('DATABASE_URL')) {
    for (const name of ['KV_REST_API_URL', 'KV_REST_API_TOKEN'] as const)
      if (!has(name)) mistakes.push(`${name} is needed with --only mcp, for sessions.`)
  }
}
