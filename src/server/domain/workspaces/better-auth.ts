import { APIError, betterAuth } from 'better-auth'
import { parseCookies } from 'better-auth/cookies'
// Not from better-auth/plugins, which loads all there are.
import { twoFactor } from 'better-auth/plugins/two-factor'
import { limits } from '../../../contract/limits.ts'
import { newId } from '../../lib/ids.ts'
import type { Logger } from '../../lib/logger.ts'
import { newRecoveryCodes } from '../../lib/recovery-codes.ts'
import type { Database } from '../../storage/engine/database.ts'
import { guardedKysely } from '../../storage/people/credential-guard.ts'

export type AuthOptions = {
  database: Database
  log: Logger
  authSecret: string
  publicUrl: string
  trustedOrigins: string[]
}

/** In seconds: a session ends when nobody used it for so long; its end is moved at most so often. */
type SessionLife = { idleLife: number; prolongAfter: number }

export type Auth = Awaited<ReturnType<typeof createAuth>>

function refuseStale(): never {
  throw new APIError('UNAUTHORIZED', { message: 'The password was replaced while the request was running.' })
}

/** better-auth with our names, our limits and our database. */
export async function createAuth({
  database,
  log,
  authSecret,
  publicUrl,
  trustedOrigins,
  idleLife,
  prolongAfter,
}: AuthOptions & SessionLife) {
  const { origin, pathname, protocol } = new URL(publicUrl)
  const isHttps = protocol === 'https:'
  // The browser takes such a cookie from this host alone, but only for the whole of it: not beneath a path.
  const isHostOnly = isHttps && pathname === '/'
  const auth = betterAuth({
    appName: 'Handrail',
    // Without the path: it would take that for the whole of basePath.
    baseURL: origin,
    basePath: `${pathname === '/' ? '' : pathname}/api/auth`,
    secret: authSecret,
    trustedOrigins,
    telemetry: { enabled: false },
    database: { db: guardedKysely(database, refuseStale), type: 'postgres' },
    user: { modelName: 'users' },
    account: { modelName: 'accounts' },
    verification: { modelName: 'verifications' },
    session: { modelName: 'signInSessions', expiresIn: idleLife, updateAge: prolongAfter },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: limits.passwordMin,
      maxPasswordLength: limits.passwordMax,
    },
    plugins: [
      twoFactor({
        issuer: 'Handrail',
        schema: { twoFactor: { modelName: 'twoFactors' } },
        backupCodeOptions: { customBackupCodesGenerate: newRecoveryCodes },
      }),
    ],
    // Limits are ours: problem documents, a limit an account, and the address as TRUST_PROXY has it.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: isHostOnly ? '__Host-handrail' : 'handrail',
      // Adds a prefix of its own, __Secure-.
      useSecureCookies: isHttps && !isHostOnly,
      defaultCookieAttributes: { path: pathname, sameSite: 'lax', httpOnly: true, secure: isHttps },
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

  const { internalAdapter, adapter, password, authCookies, createAuthCookie } = await auth.$context
  return {
    handler: auth.handler,
    api: auth.api,
    internalAdapter,
    adapter,
    password,
    sessionCookie: authCookies.sessionToken.name,
    challengeCookie: createAuthCookie('two_factor').name,
    readCookie: (headers: Headers, name: string) => parseCookies(headers.get('cookie') ?? '').get(name),
  }
}
