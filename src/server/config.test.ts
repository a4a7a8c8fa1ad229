import { describe, expect, test } from 'vitest'
import { ConfigError, defaultWorkers, poolOnPrivatePostgres, readConfig, secretVariables } from './config.ts'
import { variables } from './environment-variables.ts'

const long = (word: string) => `${word}-`.repeat(8).slice(0, 40)
const secrets = {
  API_KEY_PEPPER: long('pepper'),
  ENCRYPTION_KEY: long('encryption'),
  AUTH_SECRET: long('auth'),
  SERVICE_MCP_INTERNAL_TOKEN: long('internal'),
}
const DATABASE_URL = 'postgres://someone:db-password@db.example/handrail'

function mistakesIn(environment: Record<string, string>, argv: string[] = []): string[] {
  try {
    readConfig(environment, argv)
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
  return []
}

test('no variable is required', () => {
  expect(mistakesIn({})).toEqual([])
  expect(readConfig({}).config).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    dataDir: './data',
    logLevel: 'info',
    rateLimit: 50,
    rateBurst: 200,
    signInLimit: 5,
  })
})

test('an empty variable counts as unset', () => {
  const empty = Object.fromEntries(Object.keys(variables).map((name) => [name, '']))
  expect(readConfig(empty)).toEqual(readConfig({}))
})

test('all mistakes are reported together, each with its variable', () => {
  const mistakes = mistakesIn(
    {
      PORT: '70000',
      PUBLIC_URL: 'handrail.example',
      TRUST_PROXY: 'yes',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://db',
      DATABASE_POOL: '1',
      AUTH_SECRET: 'short',
      RATE_LIMIT: '-1',
      METRICS_TOKEN: 'short',
      SMTP_URL: 'http://mail',
    },
    ['--only', 'everything'],
  )
  expect(mistakes).toEqual([
    'PORT must be between 0 and 65535.',
    'PUBLIC_URL must be a URL that starts with http:// or https://.',
    'TRUST_PROXY must be a whole number.',
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.',
    'DATABASE_URL must start with postgres:// or postgresql://.',
    'DATABASE_POOL must be between 2 and 200.',
    'AUTH_SECRET must be a random string of at least 32 characters.',
    'RATE_LIMIT must be a whole number.',
    'METRICS_TOKEN must have at least 16 characters.',
    'SMTP_URL must be a URL that starts with smtp:// or smtps://.',
    expect.stringMatching(/^--only must be followed by .*backend.*\.$/),
    ...['API_KEY_PEPPER', 'ENCRYPTION_KEY', 'SERVICE_MCP_INTERNAL_TOKEN'].map(
      (name) => `${name} is required with DATABASE_URL: all nodes must share it.`,
    ),
    'MAIL_FROM is required with SMTP_URL.',
  ])
})

test.each([
  [{ DATABASE_URL }, Object.values(secretVariables)],
  [{ DATABASE_DIRECT_URL: DATABASE_URL }, ['DATABASE_DIRECT_URL']],
  [{ SMTP_URL: 'smtp://mail.example' }, ['MAIL_FROM']],
  [{ RATE_LIMIT: '300' }, ['RATE_BURST']],
  [{ KV_REST_API_URL: 'https://kv.example' }, ['KV_REST_API_TOKEN']],
])('%j: the missing or conflicting variable is named', (environment, names) => {
  expect(mistakesIn(environment).map((mistake) => mistake.split(' ')[0])).toEqual(names)
})

test('a base URL must not contain credentials, a query or a fragment', () => {
  for (const PUBLIC_URL of [
    'https://me:pass@handrail.example',
    'https://handrail.example/?a',
    'https://handrail.example/#b',
  ])
    expect(mistakesIn({ PUBLIC_URL })).toEqual([
      'PUBLIC_URL must not contain credentials, a query or a fragment.',
    ])
  expect(readConfig({ PUBLIC_URL: 'https://handrail.example/desk//' }).config.publicUrl).toBe(
    'https://handrail.example/desk',
  )
})

test('DATABASE_URL accepts libpq connection strings', () => {
  for (const url of ['postgres://me@/db?host=/run/postgres', 'postgresql://[::1]:5433/db?sslmode=require'])
    expect(readConfig({ ...secrets, DATABASE_URL: url }).secretConfig.databaseUrl).toBe(url)
})

test('DATABASE_DIRECT_URL defaults to DATABASE_URL', () => {
  const direct = 'postgres://direct.example/handrail'
  expect(readConfig({ ...secrets, DATABASE_URL }).secretConfig.databaseDirectUrl).toBe(DATABASE_URL)
  expect(
    readConfig({ ...secrets, DATABASE_URL, DATABASE_DIRECT_URL: direct }).secretConfig.databaseDirectUrl,
  ).toBe(direct)
})

describe('secrets are separate', () => {
  const environment = {
    ...secrets,
    DATABASE_URL,
    METRICS_TOKEN: 'metrics-token-metrics',
    SMTP_URL: 'smtp://me:mail-password@mail.example',
    MAIL_FROM: 'handrail@example.com',
    KV_REST_API_URL: 'https://kv.example',
    KV_REST_API_TOKEN: 'kv-token-kv-token',
  }
  const secretTexts = [
    ...Object.values(secrets),
    ...['db-password', 'metrics-token', 'mail-password', 'kv-token'],
  ]

  test('nothing secret is in the configuration that is printed', () => {
    const { config, secretConfig } = readConfig(environment)
    for (const text of secretTexts) {
      expect(JSON.stringify(config)).not.toContain(text)
      expect(JSON.stringify(secretConfig)).toContain(text)
    }
  })

  test('a mistake does not repeat the value', () => {
    const wrong = {
      AUTH_SECRET: 'too-short-a-secret',
      DATABASE_URL: 'psql://me:db-password@db',
      PORT: 'pa55word',
    }
    const text = mistakesIn({ ...wrong, SMTP_URL: 'smpt://me:mail-password@mail' }).join('\n')
    expect(text).toContain('AUTH_SECRET')
    expect(text).not.toMatch(/too-short|db-password|mail-password|pa55word/)
  })
})

describe('single sign-on', () => {
  const oidc = {
    OIDC_ISSUER: 'https://id.example/tenant/',
    OIDC_CLIENT_ID: 'handrail',
    OIDC_CLIENT_SECRET: 'a secret of the provider',
  }
  const workspaceId = 'wsp_0123456789abcdefghjkmnpqrs'

  test('needs the issuer, exactly as the provider names itself, and the client', () => {
    expect(readConfig(oidc).config.oidc).toEqual({
      issuer: 'https://id.example/tenant/',
      clientId: 'handrail',
      name: 'single sign-on',
      domains: [],
      joins: [],
    })
    expect(mistakesIn({ OIDC_ISSUER: oidc.OIDC_ISSUER })).toEqual([
      'OIDC_CLIENT_ID is required with OIDC_ISSUER.',
      'OIDC_CLIENT_SECRET is required with OIDC_ISSUER.',
    ])
    expect(JSON.stringify(readConfig(oidc).config)).not.toContain(oidc.OIDC_CLIENT_SECRET)
  })

  test.each([
    'http://id.example',
    'id.example',
    'https://id.example?tenant=1',
    'https://me:secret@id.example',
  ])('the issuer %s is refused', (issuer) =>
    expect(mistakesIn({ ...oidc, OIDC_ISSUER: issuer })).toHaveLength(1),
  )

  test('domains that may join a workspace are among those that may sign in', () => {
    const domains = { OIDC_DOMAINS: 'example.com, example.org', OIDC_JOIN: `${workspaceId}:example.org` }
    expect(readConfig({ ...oidc, ...domains }).config.oidc).toMatchObject({
      domains: ['example.com', 'example.org'],
      joins: [{ workspaceId, domain: 'example.org' }],
    })
    expect(mistakesIn({ ...oidc, ...domains, OIDC_JOIN: `${workspaceId}:example.net` })).toHaveLength(1)
    for (const OIDC_JOIN of [
      'example.org',
      `${workspaceId}:`,
      'wsp_1:example.org',
      `${workspaceId}:org`,
      `${workspaceId}:example.org:x`,
    ])
      expect(mistakesIn({ ...oidc, OIDC_JOIN }), OIDC_JOIN).toHaveLength(1)
    expect(mistakesIn({ ...oidc, OIDC_DOMAINS: '@example.com' })).toHaveLength(1)
  })

  test('passwords can only be turned off with an identity provider', () => {
    expect(mistakesIn({ PASSWORD_SIGN_IN: 'off' })).toEqual([
      'PASSWORD_SIGN_IN=off requires OIDC_ISSUER: without it, only links from an operator could sign people in.',
    ])
    expect(readConfig({ ...oidc, PASSWORD_SIGN_IN: 'off' }).config.passwordSignIn).toBe(false)
    expect(mistakesIn({ ...oidc, OIDC_ISSUER: 'id.example', PASSWORD_SIGN_IN: 'off' })).toHaveLength(1)
  })
})

test('one worker on two cores or fewer, otherwise one less than there are cores, at most eight', () => {
  expect([1, 2, 3, 4, 8, 9, 64].map(defaultWorkers)).toEqual([1, 1, 2, 3, 7, 8, 8])
  expect(readConfig({ WORKERS: '4' }).config.workers).toBe(4)
  expect(readConfig({ WORKERS: '4' }, ['--only', 'jobs']).config.workers).toBe(1)
})

test('the workers and their listeners fit into the connections of the private PostgreSQL', () => {
  expect(mistakesIn({ WORKERS: '31' })).toEqual([expect.stringContaining('WORKERS')])
  for (const databasePool of [2, 10, 200]) {
    for (let workers = 2; workers <= 30; workers++) {
      const pool = poolOnPrivatePostgres({ databasePool, workers })
      expect(pool).toBeGreaterThanOrEqual(2)
      expect(pool).toBeLessThanOrEqual(databasePool)
      expect(workers * (pool + 1)).toBeLessThanOrEqual(90)
    }
  }
  expect(poolOnPrivatePostgres({ databasePool: 10, workers: 8 })).toBe(10)
})

test('arguments are checked: a process never starts as more than was meant', () => {
  expect(readConfig({}, ['--only=jobs']).config.only).toBe('jobs')
  const roles = /--only must be followed by .*backend.*/
  expect(mistakesIn({}, ['--only=everything'])).toEqual([expect.stringMatching(roles)])
  expect(mistakesIn({}, ['--only=jobs=mcp'])).toEqual([expect.stringMatching(roles)])
  for (const argv of [
    ['--only', 'mcp', '--only', 'jobs'],
    ['--only=mcp', '--only=mcp'],
  ])
    expect(mistakesIn({}, argv)).toEqual(['--only can be given only once.'])
  expect(mistakesIn({}, ['--only', 'jobs', 'mcp'])).toEqual([
    expect.stringContaining('mcp is not an argument'),
  ])
  expect(mistakesIn({}, ['--onyl', 'jobs'])).toEqual([expect.stringContaining('--onyl is not an argument')])
})
