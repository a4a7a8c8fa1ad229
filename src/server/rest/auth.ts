import type { z } from 'zod'
import {
  AuthenticatorCode,
  ChangePassword,
  ConfirmPassword,
  ConfirmPasswordAndCode,
  EndSession,
  RecoveryCode,
  type SignedIn,
  SignIn,
} from '../../contract/account.ts'
import type { AuditAction } from '../../contract/audit.ts'
import type { Confirmation } from '../../contract/confirmation.ts'
import { zodViolations } from '../../contract/zod-violations.ts'
import { revokeStandingAccess } from '../domain/oauth/connected-apps.ts'
import {
  DomainProblem,
  forbidden,
  invalidRequest,
  rateLimited,
  routeNotFound,
  temporarilyUnavailable,
  unauthenticated,
} from '../domain/problems.ts'
import type { Service } from '../domain/service.ts'
import { requirePasswordSignIn } from '../domain/single-sign-on/single-sign-on.ts'
import { auditPerson } from '../domain/workspaces/audit-person.ts'
import { confirmWithPassword, wrongPassword } from '../domain/workspaces/confirm-identity.ts'
import type { Person, SignedInPerson } from '../domain/workspaces/person.ts'
import { lockedSeconds } from '../domain/workspaces/sign-in-to-account.ts'
import {
  findAccountId,
  logAttempt,
  logSessionsEnded,
  recordFailedSignIn,
  recordSignIn,
  recordSignOut,
} from '../domain/workspaces/sign-in-trail.ts'
import type { Limit } from '../lib/request-limit.ts'
import { notSignedIn, requireOurOrigin } from './authenticate.ts'
import { enforceCallerLimit } from './caller-limit.ts'
import { requireConfirmation } from './confirm.ts'
import { rememberDevice } from './known-devices.ts'
import { readBody } from './read-request.ts'
import { deviceOf } from './route.ts'
import {
  enforceAnonymousSignInLimit,
  enforceKnownSignInLimit,
  enforceLogged,
  type SignInLimits,
} from './sign-in-limits.ts'

type AuthRoute = {
  /**
   * Restricts the body, because better-auth accepts more fields than we want to offer. Left out:
   * the body is ignored.
   */
  body?: z.ZodType
  /** `challenged`: the password was correct, the code is still missing. */
  who: 'anyone' | 'person' | 'person-or-nobody' | 'challenged' | 'person-or-challenged'
  /**
   * What someone who found an open session, or knows the password, could try to guess here. Attempts
   * are limited.
   */
  guessable?: 'password' | 'code'
  /** Requires two-factor authentication to be on, or to be off. */
  twoFactor?: 'on' | 'off'
  /** Requires a code besides the password, which alone must not suffice to remove the second factor. */
  confirms?: true
  /** Refused with PASSWORD_SIGN_IN=off. */
  isPasswordSignIn?: true
  /** The audit entry on success. Sign-ins and sign-outs have their own. */
  audit?: AuditAction
  /**
   * If set, sign-ins in progress, connected apps, push subscriptions and linked Slack users end
   * too: someone with a stolen session may have added them to keep access. The text is the reason
   * in the audit.
   */
  endsAccess?: string
}

/** The routes of better-auth that are reachable. Sign-up and all others are 404. */
export const authRoutes: Record<string, AuthRoute> = {
  'POST /sign-in/email': { who: 'anyone', body: SignIn, isPasswordSignIn: true },
  'POST /sign-out': { who: 'person-or-nobody' },
  'GET /get-session': { who: 'person' },
  'GET /list-sessions': { who: 'person' },
  'POST /revoke-session': { who: 'person', body: EndSession },
  'POST /revoke-sessions': { who: 'person', audit: 'member.sessions_ended', endsAccess: 'sessions ended' },
  'POST /revoke-other-sessions': {
    who: 'person',
    audit: 'member.sessions_ended',
    endsAccess: 'sessions ended',
  },
  'POST /change-password': {
    who: 'person',
    // Ends the sessions of anyone who knew the old password.
    body: ChangePassword.transform((change) => ({ ...change, revokeOtherSessions: true })),
    guessable: 'password',
    isPasswordSignIn: true,
    audit: 'member.password_changed',
    endsAccess: 'password changed',
  },
  'POST /two-factor/enable': {
    who: 'person',
    body: ConfirmPassword,
    guessable: 'password',
    twoFactor: 'off',
  },
  'POST /two-factor/disable': {
    who: 'person',
    body: ConfirmPasswordAndCode,
    guessable: 'password',
    twoFactor: 'on',
    confirms: true,
    audit: 'member.two_factor_disabled',
  },
  'POST /two-factor/generate-backup-codes': {
    who: 'person',
    body: ConfirmPasswordAndCode,
    guessable: 'password',
    twoFactor: 'on',
    confirms: true,
    audit: 'member.recovery_codes_renewed',
  },
  // Completes a sign-in or, for someone who is signed in, turns two-factor on: see
  // turnsTwoFactorOn.
  'POST /two-factor/verify-totp': {
    who: 'person-or-challenged',
    body: AuthenticatorCode,
    guessable: 'code',
  },
  'POST /two-factor/verify-backup-code': {
    who: 'challenged',
    body: RecoveryCode,
    guessable: 'code',
    audit: 'member.recovery_code_used',
  },
}

const challengeExpired = 'The sign-in has expired or was tried too often. Sign in with your password again.'
// better-auth's codes for a password that is wrong, or that the account does not have.
const wrongPasswordCodes: (string | undefined)[] = ['INVALID_PASSWORD', 'CREDENTIAL_ACCOUNT_NOT_FOUND']
const wrongCode = 'This code is invalid or was already used. Wait for the next one.'

export type AuthRequestOptions = SignInLimits & {
  service: Service
  origins: string[]
  callerLimit: Limit | undefined
  /** The path of PUBLIC_URL, without a trailing slash. */
  basePath: string
}

/** `/api/auth/*`. `path` is what follows it. */
export async function handleAuthRequest(
  { service, origins, callerLimit, basePath, ...limits }: AuthRequestOptions,
  request: Request,
  path: string,
  from: string,
): Promise<Response> {
  const name = `${request.method} ${path}`
  const route = Object.hasOwn(authRoutes, name) ? authRoutes[name]! : undefined
  if (!route) throw routeNotFound(basePath)
  if (route.isPasswordSignIn) requirePasswordSignIn(service)
  requireOurOrigin(request, origins)
  const body = request.method === 'GET' ? undefined : await parseBody(route, request)
  if (path === '/sign-in/email') {
    const { email } = body as SignIn
    await enforceLogged(service, 'sign-in', { from, account: undefined }, () =>
      enforceAnonymousSignInLimit(limits, from, email),
    )
  }
  const headers = headersFor(request, from)
  const { person, isSignedIn } = await findPerson(service, route, headers)
  if (person && isSignedIn) await enforceCallerLimit(callerLimit, 'person', person.id)
  if (route.guessable && person) {
    const throttleKey = route.guessable === 'code' ? `code ${person.email}` : person.email
    const operation = isSignedIn ? 'confirmation' : 'sign-in'
    await enforceLogged(service, operation, { from, account: person.id }, () =>
      enforceKnownSignInLimit(limits, from, throttleKey),
    )
  }
  const turnsTwoFactorOn = path === '/two-factor/verify-totp' && isSignedIn
  const required = turnsTwoFactorOn ? 'off' : route.twoFactor
  if (required && person!.hasTwoFactor !== (required === 'on')) {
    throw invalidRequest([
      { path: '', message: `Two-factor authentication is ${required === 'on' ? 'off' : 'already on'}.` },
    ])
  }
  if (route.confirms && isSignedIn) {
    const { password } = body as z.infer<typeof ConfirmPassword>
    await confirmWithPassword(service, person.id, password, from)
    await requireConfirmation({ service, ...limits }, person, body as Confirmation, headers, from)
  }
  if (path === '/two-factor/verify-totp') {
    const { code } = body as z.infer<typeof AuthenticatorCode>
    if (!(await service.people.claimAuthenticatorCode(person!.id, code))) {
      if (!isSignedIn) recordFailedSignIn(service, async () => person!.id, from, 'wrong code')
      throw invalidRequest([{ path: 'code', message: wrongCode }])
    }
  }
  const isSignOut =
    path === '/sign-out' ||
    (path === '/revoke-session' &&
      (await service.people.hasSession(person!.id, (body as z.infer<typeof EndSession>).token)))
  const response = await service.people.forwardToBetterAuth(
    new Request(request.url, {
      method: request.method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
    path === '/sign-in/email' ? { email: (body as SignIn).email } : person,
  )
  if (!response.ok) {
    const error = await readBetterAuthError(response)
    const isWrongPassword = wrongPasswordCodes.includes(error.code)
    const passwordField = path === '/change-password' ? 'currentPassword' : 'password'
    if (isSignedIn && isWrongPassword) throw await wrongPassword(service, person.id, passwordField, from)
    const problem = toProblem(error, path)
    if (!isSignedIn) recordFailure(service, path, problem, person, body, from)
    throw problem
  }
  if (!isSignedIn) {
    await recordSuccess(service, path, response, person, body, from)
    const cookies = response.headers.getSetCookie()
    for (const cookie of await rememberDevice(service, request, cookies, from))
      response.headers.append('set-cookie', cookie)
  }
  if (isSignOut && person) await recordSignOut(service, person.id, from)
  // Sessions that started without the second factor would otherwise count as protected by it.
  if (turnsTwoFactorOn) await service.people.endOtherSessions(person.id, response.headers.getSetCookie())
  if (route.endsAccess) {
    // Mailed links stay valid: whoever knows the password must not be able to lock out the owner of
    // the mailbox.
    await service.people.endChallenges(person!.id)
    await revokeStandingAccess(service, person!.id, { actor: person!.id, from }, route.endsAccess)
  }
  const action = turnsTwoFactorOn ? 'member.two_factor_enabled' : route.audit
  if (action === 'member.sessions_ended') logSessionsEnded(service, person!.id, from)
  if (action && person) await auditPerson(service, person.id, { actor: person.id, from, action })
  return response
}

function recordFailure(
  service: Service,
  path: string,
  { code }: DomainProblem,
  person: Person | undefined,
  body: unknown,
  from: string,
): void {
  if (path === '/sign-in/email' && code === 'unauthenticated') {
    const { email } = body as SignIn
    recordFailedSignIn(service, () => findAccountId(service, email), from, 'wrong password')
  }
  if (person && path.startsWith('/two-factor/verify') && code !== 'unavailable') {
    const outcome = code === 'rate_limited' ? 'too many wrong codes' : 'wrong code'
    recordFailedSignIn(service, async () => person.id, from, outcome)
  }
}

/** Records a completed sign-in, or that its second factor is required. */
async function recordSuccess(
  service: Service,
  path: string,
  response: Response,
  person: Person | undefined,
  body: unknown,
  from: string,
): Promise<void> {
  if (path === '/two-factor/verify-totp')
    await recordSignIn(service, person!.id, from, { secondFactor: 'authenticator' })
  if (path === '/two-factor/verify-backup-code')
    await recordSignIn(service, person!.id, from, { secondFactor: 'recovery code' })
  if (path !== '/sign-in/email') return
  const account = await findAccountId(service, (body as SignIn).email)
  const { twoFactorRedirect } = (await response.clone().json()) as SignedIn
  if (twoFactorRedirect) logAttempt(service, 'sign-in', { from, account, outcome: 'second factor required' })
  else if (account) await recordSignIn(service, account, from)
}

/**
 * The headers for better-auth, which must read body and cookies the same way as the checks above.
 */
function headersFor(request: Request, from: string): Headers {
  const headers = new Headers(request.headers)
  headers.set('handrail-client-address', from)
  headers.set('user-agent', deviceOf(headers, from).userAgent)
  headers.delete('content-length')
  // better-auth also accepts forms, and detects them in malformed content types.
  headers.set('content-type', 'application/json')
  // better-auth is inconsistent about duplicate cookies, so an attempt could be counted for another
  // person.
  headers.set('cookie', withoutDuplicates(headers.get('cookie') ?? ''))
  return headers
}

function withoutDuplicates(cookies: string): string {
  const names = new Set<string>()
  const isFirst = (cookie: string) => {
    const name = cookie.split('=')[0]!.trim()
    return !names.has(name) && names.add(name)
  }
  return cookies.split(';').filter(isFirst).join(';')
}

async function parseBody({ body }: AuthRoute, request: Request): Promise<unknown> {
  const value = (await readBody(request)) ?? {}
  if (!body) return {}
  const parsed = body.safeParse(value)
  if (!parsed.success) throw invalidRequest(zodViolations(parsed.error, body, value))
  return parsed.data
}

type FoundPerson =
  | { person: SignedInPerson; isSignedIn: true }
  | { person: Person | undefined; isSignedIn: false }

async function findPerson({ people }: Service, { who }: AuthRoute, headers: Headers): Promise<FoundPerson> {
  if (who === 'anyone') return { person: undefined, isSignedIn: false }
  const signedIn = await people.findSignedInPerson(headers)
  if (who === 'person-or-nobody' && !signedIn) return { person: undefined, isSignedIn: false }
  if (signedIn && who === 'challenged') {
    throw invalidRequest([
      { path: '', message: 'You are already signed in. Recovery codes are only for signing in.' },
    ])
  }
  if (signedIn) return { person: signedIn, isSignedIn: true }
  if (who === 'person') throw notSignedIn()
  const challenged = await people.findChallengedPerson(headers)
  if (!challenged) throw unauthenticated(challengeExpired)
  return { person: challenged, isSignedIn: false }
}

/** An error response of better-auth. */
type BetterAuthError = { status: number; code?: string; message?: string }

async function readBetterAuthError(response: Response): Promise<BetterAuthError> {
  const body = (await response.json().catch(() => ({}))) as Omit<BetterAuthError, 'status'>
  return { ...body, status: response.status }
}

function toProblem(
  { status, code, message = 'The request was refused.' }: BetterAuthError,
  path: string,
): DomainProblem {
  switch (code) {
    case 'INVALID_CODE':
      return invalidRequest([{ path: 'code', message: wrongCode }])
    case 'INVALID_BACKUP_CODE':
      return invalidRequest([{ path: 'code', message: 'This code is invalid or was already used.' }])
    case 'INVALID_TWO_FACTOR_COOKIE':
    case 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE':
      return unauthenticated(challengeExpired)
    case 'ACCOUNT_TEMPORARILY_LOCKED':
      return rateLimited(
        `Too many wrong codes. Sign in again in ${lockedSeconds / 60} minutes.`,
        lockedSeconds,
      )
  }
  // The same response for an unknown address and a wrong password.
  if (path === '/sign-in/email' && status === 401) {
    return unauthenticated('Incorrect email address or password.')
  }
  if (status === 401) return notSignedIn()
  if (status === 403) return forbidden(message)
  if (status >= 500) return temporarilyUnavailable()
  return new DomainProblem('invalid_request', message)
}
