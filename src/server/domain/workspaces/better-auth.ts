import { APIError, betterAuth } from 'better-auth'
import { parseCookies } from 'better-auth/cookies'
// Not from better-auth/plugins, which loads all plugins.
import { twoFactor } from 'better-auth/plugins/two-factor'
import { limits } from '../../../contract/limits.ts'
import { newId } from '../../lib/ids.ts'
import type { Logger } from '../../lib/logger.ts'
import { newRecoveryCodes } from '../../lib/recovery-codes.ts'
import { cookiePrefix } from '../../lib/session-cookie.ts'
import type { Database } from '../../storage/engine/database.ts'
import { guardedKysely } from '../../storage/people/credential-guard.ts'

export type AuthOptions = {
  database: Database
  log: Logger
  authSecret: string
  publicUrl: string
  trustedOrigins: string[]
}

/** In seconds: how long an unused session lives, and how often at most its expiry is extended. */
type SessionLifetime = { idleSeconds: number; extendAfterSeconds: number }

export type Auth = Awaited<ReturnType<typeof createAuth>>

function rejectStaleRequest(): never {
  throw new APIError('UNAUTHORIZED', {
    message: 'The password or two-factor authentication was changed during the request.',
  })
}

/** better-auth with our table names, limits and database. */
export async function createAuth({
  database,
  log,
  authSecret,
  publicUrl,
  trustedOrigins,
  idleSeconds,
  extendAfterSeconds,
}: AuthOptions & SessionLifetime) {
  const { origin, pathname, protocol } = new URL(publicUrl)
  const isHttps = protocol === 'https:'
  const prefix = cookiePrefix(publicUrl)
  const auth = betterAuth({
    appName: 'Handrail',
    // Without the path, which better-auth would use in place of basePath.
    baseURL: origin,
    basePath: `${pathname === '/' ? '' : pathname}/api/auth`,
    secret: authSecret,
    trustedOrigins,
    telemetry: { enabled: false },
    database: { db: guardedKysely(database, rejectStaleRequest), type: 'postgres' },
    user: { modelName: 'users' },
    account: { modelName: 'accounts' },
    verification: { modelName: 'verifications' },
    session: { modelName: 'signInSessions', expiresIn: idleSeconds, updateAge: extendAfterSeconds },
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
    // We have our own limits: problem documents, one limit per account, and TRUST_PROXY for
    // addresses.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: prefix === '__Host-' ? '__Host-handrail' : 'handrail',
      // better-auth adds __Secure- itself.
      useSecureCookies: prefix === '__Secure-',
      defaultCookieAttributes: { path: pathname, sameSite: 'lax', httpOnly: true, secure: isHttps },
      ipAddress: { ipAddressHeaders: ['handrail-client-address'] },
      database: {
        generateId: ({ model }) => (/^users?$/.test(model) ? newId('person') : crypto.randomUUID()),
        // better-auth expects camelCase columns. Our migrations are tested instead.
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
    singleSignOnCookie: createAuthCookie('single_sign_on').name,
    deviceCookie: createAuthCookie('device').name,
    cookieAttributes: `Path=${pathname}; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`,
    challengeCookie: createAuthCookie('two_factor').name,
    readCookie: (headers: Headers, name: string) => parseCookies(headers.get('cookie') ?? '').get(name),
  }
}
