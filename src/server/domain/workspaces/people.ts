import { betterAuth } from 'better-auth'
import { limits } from '../../../contract/limits.ts'
import { newId } from '../../lib/ids.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Database } from '../../storage/database.ts'
import { databaseAway } from '../problems.ts'

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
const uniqueViolation = '23505'

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
      ...cookieNames(protocol === 'https:', pathname),
      defaultCookieAttributes: {
        path: pathname,
        sameSite: 'lax',
        httpOnly: true,
        secure: protocol === 'https:',
      },
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

  /** undefined: somebody else has this address since a moment ago. */
  async function create(person: {
    email: string
    name: string
    password: string
  }): Promise<string | undefined> {
    const { internalAdapter, password } = await auth.$context
    const hash = await password.hash(person.password)
    try {
      const user = await internalAdapter.createUser(
        { email: person.email, name: person.name, emailVerified: true },
        { method: 'email-password' },
      )
      await linkPassword(user.id, hash)
      return user.id
    } catch (error) {
      if ((error as { code?: string }).code === uniqueViolation) return undefined
      throw error
    }
  }

  async function linkPassword(userId: string, hash: string): Promise<void> {
    const { internalAdapter } = await auth.$context
    await internalAdapter.linkAccount({
      userId,
      accountId: userId,
      providerId: 'credential',
      password: hash,
    })
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
    const hash = await password.hash(newPassword)
    const accounts = await internalAdapter.findAccounts(userId)
    // A process that died while it made the person may have left none.
    if (accounts.length === 0) await linkPassword(userId, hash)
    else await internalAdapter.updatePassword(userId, hash)
    await internalAdapter.deleteUserSessions(userId)
  }

  /** The cookies of a fresh session. */
  async function signIn(email: string, password: string): Promise<string[]> {
    const response = await auth.api.signInEmail({ body: { email, password }, asResponse: true })
    if (!response.ok) throw new Error(`Sign-in of a person just made failed with ${response.status}.`)
    return response.headers.getSetCookie()
  }

  async function whoIs(headers: Headers): Promise<Person | undefined> {
    const session = await auth.api.getSession({ headers }).catch(hiddenCause)
    return session ? { id: session.user.id, email: session.user.email, name: session.user.name } : undefined
  }

  /** better-auth says no more than that it failed; its log has the cause, which is a database that is away. */
  function hiddenCause(error: unknown): never {
    if ((error as { statusCode?: number }).statusCode === 500) throw databaseAway()
    throw error
  }

  return { handler: auth.handler, create, passwordIs, setPassword, signIn, whoIs }
}

/**
 * A browser takes a cookie named __Host- only from this very host, over https, for all its paths: no neighbour below the same
 * domain can plant one. Beneath a path that name is not to be had.
 */
function cookieNames(secure: boolean, path: string): { cookiePrefix: string; useSecureCookies: boolean } {
  const wholeHost = secure && path === '/'
  return { cookiePrefix: wholeHost ? '__Host-handrail' : 'handrail', useSecureCookies: secure && !wholeHost }
}
