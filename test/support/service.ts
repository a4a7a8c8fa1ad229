import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import { type App, composeService } from '../../src/server/compose.ts'
import { readConfig } from '../../src/server/config.ts'
import { invite } from '../../src/server/domain/workspaces/invitations.ts'
import { setUpWorkspace } from '../../src/server/domain/workspaces/operator.ts'
import { mailText } from '../../src/server/lib/mail-content.ts'
import { listen } from '../../src/server/listen.ts'
import { type Caller, callAs } from './http.ts'
import './cached-scrypt.ts'

/** All processes on one test database must share these secrets. */
export const testSecrets = {
  API_KEY_PEPPER: 'test-pepper-test-pepper-test-pepper',
  ENCRYPTION_KEY: 'test-encryption-test-encryption-test',
  AUTH_SECRET: 'test-auth-secret-test-auth-secret-te',
  SERVICE_MCP_INTERNAL_TOKEN: 'test-internal-token-test-internal-to',
}

type Listener = Awaited<ReturnType<typeof listen>>

export type TestService = Awaited<ReturnType<typeof startService>>

/** Creates a database on the PostgreSQL of this run: empty, or a copy of a template. */
export async function createDatabase(
  template = 'template1',
): Promise<{ url: string; drop(): Promise<void> }> {
  // Starts with the template's name, so that it is dropped with the template if the test does not
  // drop it.
  const name = `${inject('migratedTemplate')}_${randomBytes(6).toString('hex')}`
  await adminQuery(`CREATE DATABASE ${name} TEMPLATE ${template} ${inject('copyStrategy')}`)
  // Not with URL, which cannot parse an address without a host (a unix socket).
  const url = inject('databaseUrl').replace(/\/[^/?]*(\?|$)/, `/${name}$1`)
  return { url, drop: () => adminQuery(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/** A copy of the migrated database, for services that share it or restart. */
export const createMigratedDatabase = () => createDatabase(inject('migratedTemplate'))

async function adminQuery(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('databaseUrl') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * Starts the real service in this process, on real HTTP and a real database. Rate limits are off
 * unless a test sets them. `replaced`: takes the requests to the URL of this service until it stops.
 */
export async function startService(
  environment: Record<string, string> = {},
  argv: string[] = [],
  replaced?: { listener: Listener; app: App },
) {
  const database = environment.DATABASE_URL ? undefined : await createMigratedDatabase()
  const variables = {
    DATABASE_URL: database?.url,
    ...testSecrets,
    PORT: '0',
    LOG_LEVEL: 'fatal',
    RATE_LIMIT: '0',
    // Nothing listens on this port.
    SLACK_API_URL: 'http://127.0.0.1:1',
    SIGN_IN_LIMIT: '0',
    ...environment,
  }
  const { config, secretConfig } = readConfig(variables, argv)
  const listener = replaced?.listener ?? (await listen(config.host, config.port, config.maxConnections))
  const url = config.publicUrl ?? `http://127.0.0.1:${listener.port}`
  const app = await composeService({
    config,
    secretConfig,
    as: 'service',
    publicUrl: url,
    printLine: () => undefined,
  })
  listener.serve(app.fetch)
  return {
    url,
    databaseUrl: secretConfig.databaseUrl!,
    app,
    listener,
    /** A workspace with a signed-in owner and an agent with an API key. */
    workspace: (name = `Workspace ${randomBytes(4).toString('hex')}`) =>
      createWorkspace(app.service, url, name),
    async stop() {
      app.drain()
      if (replaced) listener.serve(replaced.app.fetch)
      else await listener.close(2_000)
      await app.close()
      await database?.drop()
    },
  }
}

export const testPassword = 'correct horse battery staple'

async function createWorkspace(
  service: Awaited<ReturnType<typeof composeService>>['service'],
  url: string,
  name: string,
) {
  const email = `owner-${randomBytes(5).toString('hex')}@example.com`
  const created = await setUpWorkspace(service, {
    workspace: name,
    email,
    password: testPassword,
    name: 'Olga Owner',
  })
  return {
    workspaceId: created.workspaceId,
    apiKey: created.apiKey,
    webhookSecret: created.webhookSecret,
    ownerEmail: email,
    agent: callAs(url, { 'x-api-key': created.apiKey }),
    owner: await signedIn(url, email, created.workspaceId),
    /** The token of a mailed invitation, whether or not this service sends mail. */
    async mailedToken(address: string, role: 'member' | 'admin' | 'owner' = 'member'): Promise<string> {
      let text = ''
      const sendMail: typeof service.sendMail = async (mail) => {
        text = mailText(mail.content)
      }
      const { person } = (await this.owner.get('/me')).body
      const { userId: id, name, emailVerified } = person
      const { workspaceId } = created
      await invite(
        { ...service, sendMail },
        {
          kind: 'person',
          workspaceId,
          id,
          email,
          emailVerified,
          name,
          role: 'owner',
          from: '::1',
          via: 'web',
        },
        { email: address, role },
      )
      // Tests invite more people per minute than one person may invite per hour.
      await sql`DELETE FROM rate_counts WHERE subject = ${`invitations by ${id}`}`.execute(
        service.database.owner,
      )
      return /#([\w-]{43})/.exec(text)![1]!
    },
    /** Another member of this workspace, joined by a mailed invitation and signed in. */
    async person(role: 'member' | 'admin' | 'owner' = 'member', personName = 'Mara Member') {
      const address = `${role}-${randomBytes(5).toString('hex')}@example.com`
      const accepted = await callAs(url, {}).post('/invitations/accept', {
        token: await this.mailedToken(address, role),
        name: personName,
        password: testPassword,
      })
      if (accepted.status !== 200)
        throw new Error(`invitation not accepted: ${JSON.stringify(accepted.body)}`)
      // Accepting an invitation signs in.
      return { email: address, ...withCookies(url, accepted.headers, created.workspaceId) }
    },
  }
}

export type TestWorkspace = Awaited<ReturnType<typeof createWorkspace>>

/** Signs in and returns a caller with the session's cookie and our own origin. */
export async function signedIn(
  url: string,
  email: string,
  workspaceId?: string,
): Promise<Caller & { cookie: string }> {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(url).origin },
    body: JSON.stringify({ email, password: testPassword }),
  })
  if (!response.ok) throw new Error(`sign-in failed: ${response.status} ${await response.text()}`)
  return withCookies(url, response.headers, workspaceId)
}

function withCookies(
  url: string,
  responseHeaders: Headers,
  workspaceId?: string,
): Caller & { cookie: string } {
  const cookie = responseHeaders
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const headers = {
    cookie,
    origin: new URL(url).origin,
    ...(workspaceId && { 'handrail-workspace': workspaceId }),
  }
  return { cookie, ...callAs(url, headers) }
}

export const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

/** The smallest valid task. */
export function taskPayload(more: Record<string, unknown> = {}, task: Record<string, unknown> = {}) {
  return {
    task: { type: 'refund-approval', name: 'Refund €40?', description: 'The parcel came back.', ...task },
    actions: [
      { id: 'approve', title: 'Approve' },
      {
        id: 'decline',
        title: 'Decline',
        schema: {
          type: 'object',
          properties: { reason: { type: 'string', title: 'Why?' } },
          required: ['reason'],
        },
      },
    ],
    ...more,
  }
}
