import { z } from 'zod'
import {
  baseUrl,
  cidrs,
  domainJoins,
  domains,
  integer,
  issuer,
  origins,
  postgresUrl,
  secret,
  url,
} from './lib/variable-schemas.ts'

// The environment variables that config.ts reads. docs/configuration.md is generated from this
// list.

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export const variables = {
  HOST: { schema: z.string().min(1).default('127.0.0.1'), about: 'The address to listen on.' },
  PORT: { schema: integer(0, 65_535).default(3000), about: 'The port to listen on. 0 selects a free one.' },
  PUBLIC_URL: {
    schema: baseUrl().optional(),
    about:
      'The URL at which people and programs reach the service. May have a path, which a proxy must pass on unchanged. Default: http://HOST:PORT, with localhost if HOST is 0.0.0.0 or ::.',
  },
  TRUST_PROXY: {
    schema: integer(0, 10).default(0),
    about:
      'The number of proxies in front of the service, for reading the client address from X-Forwarded-For.',
  },
  MAX_CONNECTIONS: {
    schema: integer(10, 1_000_000).default(20_000),
    about:
      'Maximum connections per process, so per worker; further requests get 503. An open stream or wait takes one.',
  },
  WORKERS: {
    schema: integer(1, 30).optional(),
    about:
      'Processes that serve requests on the port. Default: 1 on two cores or fewer, otherwise one less than there are cores, at most 8. Always 1 with --only jobs.',
  },
  LOG_LEVEL: {
    schema: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
    about: `One of ${logLevels.join(', ')}. Logs are JSON lines on standard error.`,
  },
  DATA_DIR: {
    schema: z.string().min(1).default('./data'),
    about:
      'Where the private PostgreSQL and generated secrets are stored. With DATABASE_URL, used only by restore and move.',
  },
  DATABASE_URL: {
    schema: postgresUrl().optional(),
    about:
      'A PostgreSQL (15 or newer) to use instead of the private one. For TLS, append ?sslmode=verify-full, and &sslrootcert=FILE if its CA is not a public one.',
  },
  DATABASE_DIRECT_URL: {
    schema: postgresUrl().optional(),
    about:
      'The same database without a connection pooler, for LISTEN, migrations and locks. Default: DATABASE_URL.',
  },
  DATABASE_POOL: {
    schema: integer(2, 200).default(10),
    about:
      'Maximum database connections per process, so per worker, besides one for LISTEN. The workers on the private PostgreSQL share 90: with more than 8 workers, each has fewer than 10.',
  },
  API_KEY_PEPPER: {
    schema: secret().optional(),
    about:
      'Secret for the HMAC of API keys and of the tokens of connected apps. At least 32 characters. Required with DATABASE_URL.',
  },
  ENCRYPTION_KEY: {
    schema: secret().optional(),
    about:
      'Secret that encrypts webhook secrets, chat URLs, push subscriptions and the secrets of Slack apps, signs the audit chain and unsubscribe links, and determines the keys for push services and the samples of standing rules. At least 32 characters. Required with DATABASE_URL.',
  },
  AUTH_SECRET: {
    schema: secret().optional(),
    about:
      'Secret that signs session cookies and the setup link, and encrypts second factors and other cookies. At least 32 characters. Required with DATABASE_URL.',
  },
  SERVICE_MCP_INTERNAL_TOKEN: {
    schema: secret().optional(),
    about:
      'Shared secret between the MCP server and the backend. It also signs the ids of MCP sessions. At least 32 characters. Required with DATABASE_URL and with --only mcp.',
  },
  CALLBACK_ALLOW_CIDRS: {
    schema: cidrs().default([]),
    about:
      'Non-public networks that callbacks, messages to chat webhooks and push messages may be sent to, and that metadata documents of OAuth clients may be fetched from, such as 10.1.2.0/24,127.0.0.0/8.',
  },
  PUSH_SERVICES: {
    schema: origins().default([]),
    about:
      'Origins of push services that browsers may use besides those of Google, Mozilla, Apple and Microsoft, such as https://push.example.com.',
  },
  SERVICE_MCP_PUBLIC_URL: {
    schema: baseUrl().optional(),
    about:
      'The URL of the MCP server, for agents and for deliveries of kind sse. Default: PUBLIC_URL. Required with --only mcp; the backend and jobs then need it too.',
  },
  SERVICE_APP: {
    schema: z.string().max(128, 'must have at most 128 characters').optional(),
    about: 'The default app of tasks that are created over MCP.',
  },
  BACKEND_URL: {
    schema: baseUrl().optional(),
    about: 'With --only mcp, and required there: the URL of the backend, which validates API keys.',
  },
  SERVICE_API_BASE_URL: {
    schema: baseUrl().optional(),
    about: 'With --only mcp: the URL of the REST API. Default: BACKEND_URL.',
  },
  KV_REST_API_URL: {
    schema: baseUrl().optional(),
    about:
      'A key-value store (Upstash REST protocol) for MCP sessions. Default: MCP sessions are in the database. With --only mcp, this or DATABASE_URL is required.',
  },
  KV_REST_API_TOKEN: {
    schema: z.string().min(1).optional(),
    about: 'The token of the key-value store. Required with KV_REST_API_URL.',
  },
  RATE_LIMIT: {
    schema: integer(0, 1_000_000).default(50),
    about:
      'Requests per second, on average, per API key, per connected app and per signed-in person; /mcp included. Also per network, for OAuth, for unsubscribing, and for requests from Slack to a workspace whose Slack connection this process has not cached. 0 disables these limits and those on MCP sessions and streams.',
  },
  RATE_BURST: {
    schema: integer(1, 1_000_000).default(200),
    about:
      'Requests that an API key, a connected app, a person or a network may send in a burst. At least RATE_LIMIT.',
  },
  SIGN_IN_LIMIT: {
    schema: integer(0, 1_000_000).default(5),
    about:
      'Sign-in attempts per minute per account and IP address. The limit per IP address is 4 times, per account 10 times as high. 0: no limit.',
  },
  OIDC_ISSUER: {
    schema: issuer().optional(),
    about:
      'The identity provider (OpenID Connect) that people sign in with, exactly as it names itself. See docs/single-sign-on.md.',
  },
  OIDC_CLIENT_ID: {
    schema: z.string().min(1).optional(),
    about: 'The client id that the identity provider gave to Handrail. Required with OIDC_ISSUER.',
  },
  OIDC_CLIENT_SECRET: {
    schema: z.string().min(1).optional(),
    about: 'The client secret that the identity provider gave to Handrail. Required with OIDC_ISSUER.',
  },
  OIDC_NAME: {
    schema: z.string().min(1).max(40, 'must have at most 40 characters').default('single sign-on'),
    about: 'The name of the identity provider on the button "Continue with …".',
  },
  OIDC_DOMAINS: {
    schema: domains().default([]),
    about:
      'The domains of email addresses that may use single sign-on, such as example.com,example.org. Default: all that the identity provider has verified.',
  },
  OIDC_JOIN: {
    schema: domainJoins().default([]),
    about:
      'Lets everyone with an address in a domain join a workspace as a member, without an invitation: <workspace id>:<domain>, separated by commas.',
  },
  PASSWORD_SIGN_IN: {
    schema: z.enum(['on', 'off'], 'must be on or off').default('on'),
    about: 'off: people cannot sign in with a password. Requires OIDC_ISSUER.',
  },
  ANALYST_MODEL: {
    schema: z.string().min(1).optional(),
    about:
      'The language model that writes feedback analyses. Default: the built-in analyst, without a model.',
  },
  ANALYST_PROVIDER: {
    schema: z.enum(['openai', 'anthropic'], 'must be openai or anthropic').default('openai'),
    about:
      'The API of the language model: openai (chat completions, which most servers support) or anthropic (messages).',
  },
  ANALYST_BASE_URL: {
    schema: baseUrl().optional(),
    about:
      'The URL of the language model, such as http://localhost:11434/v1. Default: the URL of the provider.',
  },
  ANALYST_API_KEY: {
    schema: z.string().min(1).optional(),
    about: 'The API key of the language model. Required with ANALYST_MODEL unless ANALYST_BASE_URL is set.',
  },
  BACKUP_PASSPHRASE: {
    schema: z.string().min(12, 'must have at least 12 characters').optional(),
    about:
      'Encrypts and decrypts the secrets in a backup, with --passphrase. Default: a prompt, or the first line of standard input.',
  },
  SLACK_API_URL: {
    schema: baseUrl().default('https://slack.com/api'),
    about: "The URL of Slack's Web API. For GovSlack: https://slack-gov.com/api.",
  },
  METRICS_PORT: {
    schema: integer(0, 65_535).optional(),
    about: 'A separate port for Prometheus metrics, on HOST, without a token.',
  },
  METRICS_TOKEN: {
    schema: z.string().min(16, 'must have at least 16 characters').optional(),
    about:
      'Enables /metrics on the main port for requests with this bearer token of at least 16 characters. Not with --only mcp or --only jobs: use METRICS_PORT there.',
  },
  SMTP_URL: {
    schema: url('smtp:', 'smtps:').optional(),
    about: 'A mail server for invitations, messages about accounts and notifications.',
  },
  MAIL_FROM: {
    schema: z.string().regex(/@/, 'must be an email address').optional(),
    about: 'The sender address of emails. Required with SMTP_URL.',
  },
} as const

/** The checked value of each variable. */
export type Values = { [Name in keyof typeof variables]: z.output<(typeof variables)[Name]['schema']> }
