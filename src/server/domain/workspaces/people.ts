import { betterAuth } from 'better-auth'
import { limits } from '../../../contract/limits.ts'
import { newId } from '../../lib/ids.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Database } from '../../storage/database.ts'

export type Person = { id: string; email: string; name: string }

export type People = ReturnType<typeof createPeople>

export type PeopleOptions = {
  database: Database
  log: Logger
  authSecret: string
  publicUrl: string
  trustedOrigins: string[]
}

const day = 86_400

/**
 * People, their passwords and their sessions: better-auth on our database. Workspaces and membership are ours, because a
 * change of them and its audit row must be one transaction.
 */
export function createPeople({ database, log, authSecret, publicUrl, trustedOrigins }: PeopleOptions) {
  const { origin, pathname, protocol } = new URL(publicUrl)
  const auth = betterAuth({
    appName: 'Handrail',
    // Without the path: it would take that for the whole of basePath.
    baseURL: origin,
    basePath: `${pathname === '/' ? '' : pathname}/api/auth`,
    secret: authSecret,
    trustedOrigins,
    telemetry: { enabled: false },
    database: { db: database.owner, type: 'postgres' },
    user: { modelName: 'users' },
    account: { modelName: 'accounts' },
    verification: { modelName: 'verifications' },
    session: { modelName: 'signInSessions', expiresIn: 7 * day, updateAge: day },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: limits.passwordMin,
      maxPasswordLength: limits.passwordMax,
    },
    // Limits are ours: problem documents, a limit an account, and the address as TRUST_PROXY has it.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: 'handrail',
      useSecureCookies: protocol === 'https:',
      defaultCookieAttributes: { path: pathname, sameSite: 'lax', httpOnly: true },
      ipAddress: { ipAddressHeaders: ['handrail-client-address'] },
      database: {
        generateId: ({ model }) => (/^users?$/.test(model) ? newId('person') : crypto.randomUUID()),
        // It would look for camelCase columns; the migration is ours and tested.
        validateSchema: false,
      },
    },
    logger: {
      level: 'warn',
      log: (level, message) => log[level === 'error' ? 'error' : 'warn']({ from: 'better-auth' }, message),
    },
  })

  async function create(person: { email: string; name: string; password: string }): Promise<string> {
    const { internalAdapter, password } = await auth.$context
    const user = await internalAdapter.createUser(
      { email: person.email, name: person.name, emailVerified: true },
      { method: 'email-password' },
    )
    await internalAdapter.linkAccount({
      userId: user.id,
      accountId: user.id,
      providerId: 'credential',
      password: await password.hash(person.password),
    })
    return user.id
  }

  async function passwordIs(userId: string, candidate: string): Promise<boolean> {
    const { internalAdapter, password } = await auth.$context
    const accounts = await internalAdapter.findAccounts(userId)
    const hash = accounts.find((account) => account.providerId === 'credential')?.password
    return hash ? await password.verify({ hash, password: candidate }) : false
  }

  /** Ends every session of the person, too: whoever knew the old password is out. */
  async function setPassword(userId: string, newPassword: string): Promise<void> {
    const { internalAdapter, password } = await auth.$context
    await internalAdapter.updatePassword(userId, await password.hash(newPassword))
    await internalAdapter.deleteUserSessions(userId)
  }

  /** The cookies of a fresh session. */
  async function signIn(email: string, password: string): Promise<string[]> {
    const response = await auth.api.signInEmail({ body: { email, password }, asResponse: true })
    if (!response.ok) throw new Error(`Sign-in of a person just made failed with ${response.status}.`)
    return response.headers.getSetCookie()
  }

  async function whoIs(headers: Headers): Promise<Person | undefined> {
    const session = await auth.api.getSession({ headers })
    return session ? { id: session.user.id, email: session.user.email, name: session.user.name } : undefined
  }

  return { handler: auth.handler, create, passwordIs, setPassword, signIn, whoIs }
}
