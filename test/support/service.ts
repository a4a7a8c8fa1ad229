import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import { composeService } from '../../src/server/compose.ts'
import { readConfig } from '../../src/server/config.ts'
import { invite } from '../../src/server/domain/workspaces/invitations.ts'
import { setUpWorkspace } from '../../src/server/domain/workspaces/operator.ts'
import { listen } from '../../src/server/listen.ts'
import { type Caller, callAs } from './http.ts'
import './remembered-scrypt.ts'

/** Secrets of tests: all processes on one test database must share them. */
export const testSecrets = {
  API_KEY_PEPPER: 'test-pepper-test-pepper-test-pepper',
  ENCRYPTION_KEY: 'test-encryption-test-encryption-test',
  AUTH_SECRET: 'test-auth-secret-test-auth-secret-te',
  SERVICE_MCP_INTERNAL_TOKEN: 'test-internal-token-test-internal-to',
}

export type TestService = Awaited<ReturnType<typeof startService>>

/** A database of its own on the PostgreSQL of this run: an empty one, or a copy. */
export async function createDatabase(
  template = 'template1',
): Promise<{ url: string; drop(): Promise<void> }> {
  // Begins like the template of this run, with which it is dropped if nobody does before.
  const name = `${inject('migratedTemplate')}_${randomBytes(6).toString('hex')}`
  await adminQuery(`CREATE DATABASE ${name} TEMPLATE ${template}`)
  // Not by URL: an address with a unix socket has no host.
  const url = inject('databaseUrl').replace(/\/[^/?]*(\?|$)/, `/${name}$1`)
  return { url, drop: () => adminQuery(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

async function adminQuery(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('databaseUrl') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The real service in this process, on real HTTP and a real database. Limits are off unless the test sets them. */
export async function startService(environment: Record<string, string> = {}, argv: string[] = []) {
  const database = environment.DATABASE_URL ? undefined : await createDatabase(inject('migratedTemplate'))
  const variables = {
    DATABASE_URL: database?.url,
    ...testSecrets,
    PORT: '0',
    LOG_LEVEL: 'fatal',
    RATE_LIMIT: '0',
    SIGN_IN_LIMIT: '0',
    ...environment,
  }
  const { config, secretConfig } = readConfig(variables, argv)
  const door = await listen(config.host, config.port, config.maxConnections)
  const url = config.publicUrl ?? `http://127.0.0.1:${door.port}`
  const house = await composeService({
    config,
    secretConfig,
    as: 'service',
    publicUrl: url,
    printLine: () => undefined,
  })
  door.serve(house.fetch)
  return {
    url,
    databaseUrl: secretConfig.databaseUrl!,
    house,
    /** A workspace with an owner who is signed in and an agent that has a key. */
    workspace: (name = `Workspace ${randomBytes(4).toString('hex')}`) =>
      makeWorkspace(house.service, url, name),
    async stop() {
      house.drain()
      await door.close(2_000)
      await house.close()
      await database?.drop()
    },
  }
}

export const testPassword = 'correct horse battery staple'

async function makeWorkspace(
  service: Awaited<ReturnType<typeof composeService>>['service'],
  url: string,
  name: string,
) {
  const email = `owner-${randomBytes(5).toString('hex')}@example.com`
  const made = await setUpWorkspace(service, {
    workspace: name,
    email,
    password: testPassword,
    name: 'Olga Owner',
  })
  return {
    workspaceId: made.workspaceId,
    apiKey: made.apiKey,
    webhookSecret: made.webhookSecret,
    ownerEmail: email,
    agent: callAs(url, { 'x-api-key': made.apiKey }),
    owner: await signedIn(url, email, made.workspaceId),
    /** What the mail of an invitation brings, whether or not this service sends mail: the owner of the mailbox has it. */
    async mailedToken(address: string, role: 'member' | 'admin' | 'owner' = 'member'): Promise<string> {
      let text = ''
      const sendMail: typeof service.sendMail = async (mail) => {
        text = mail.text
      }
      const { person } = (await this.owner.get('/me')).body
      const { userId: id, name, emailVerified } = person
      const { workspaceId } = made
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
      // Tests need more people in a minute than one person may invite in an hour.
      await sql`DELETE FROM rate_counts WHERE subject = ${`invitations by ${id}`}`.execute(
        service.database.owner,
      )
      return /#([\w-]{43})/.exec(text)![1]!
    },
    /** Another person of this workspace, by a mailed invitation, signed in. */
    async person(role: 'member' | 'admin' | 'owner' = 'member', personName = 'Mara Member') {
      const address = `${role}-${randomBytes(5).toString('hex')}@example.com`
      const accepted = await callAs(url, {}).post('/invitations/accept', {
        token: await this.mailedToken(address, role),
        name: personName,
        password: testPassword,
      })
      if (accepted.status !== 200)
        throw new Error(`invitation not accepted: ${JSON.stringify(accepted.body)}`)
      // Whoever accepts is signed in.
      return { email: address, ...withCookies(url, accepted.headers, made.workspaceId) }
    },
  }
}

export type TestWorkspace = Awaited<ReturnType<typeof makeWorkspace>>

/** Calls with the cookie of a fresh session, from our own origin. */
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

function withCookies(url: string, answer: Headers, workspaceId?: string): Caller & { cookie: string } {
  const cookie = answer
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

/** The least that makes a task. */
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
