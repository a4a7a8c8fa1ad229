import type { z } from 'zod'
import {
  AuthenticatorCode,
  ChangePassword,
  EndSession,
  RecoveryCode,
  type SignedIn,
  SignIn,
  WithPassword,
} from '../../contract/account.ts'
import type { AuditAction } from '../../contract/audit.ts'
import { zodViolations } from '../../contract/zod-violations.ts'
import {
  DomainProblem,
  databaseUnavailable,
  invalidRequest,
  rateLimited,
  routeNotFound,
  unauthenticated,
} from '../domain/problems.ts'
import type { Service } from '../domain/service.ts'
import { auditPerson } from '../domain/workspaces/audit-person.ts'
import type { Person } from '../domain/workspaces/person.ts'
import {
  findAccountId,
  logSignIn,
  recordFailedSignIn,
  recordSignIn,
  recordSignOut,
} from '../domain/workspaces/sign-in-trail.ts'
import type { Limit } from '../lib/request-limit.ts'
import { notSignedIn, requireOurOrigin } from './authenticate.ts'
import { countRequest } from './caller-limit.ts'
import { readBody } from './read-request.ts'
import { deviceOf } from './route.ts'
import { countKnown, countStranger, type SignInLimits } from './sign-in-limits.ts'

type OpenRoute = {
  /** What better-auth gets to see of the body; it would take more than we want it to. */
  body?: z.ZodType
  /** `challenged`: the password was right, the code is still to come. */
  who: 'anyone' | 'person' | 'person-or-nobody' | 'challenged' | 'person-or-challenged'
  /** Somebody who found an open session, or a password, could try them out here. */
  guesses?: 'password' | 'code'
  /** Only for those who have a second factor, or only for those who have none. */
  twoFactor?: 'on' | 'off'
  /** What the audit says once it is done. */
  audit?: AuditAction
}

/** Of better-auth only this is open; sign-up and the rest answer as if they were not there. */
export const openRoutes: Record<string, OpenRoute> = {
  'POST /sign-in/email': { who: 'anyone', body: SignIn },
  'POST /sign-out': { who: 'person-or-nobody' },
  'GET /get-session': { who: 'person' },
  'GET /list-sessions': { who: 'person' },
  'POST /revoke-session': { who: 'person', body: EndSession },
  'POST /revoke-sessions': { who: 'person' },
  'POST /revoke-other-sessions': { who: 'person' },
  'POST /change-password': {
    who: 'person',
    // Whoever knew the old one is out.
    body: ChangePassword.transform((change) => ({ ...change, revokeOtherSessions: true })),
    guesses: 'password',
    audit: 'member.password_changed',
  },
  'POST /two-factor/enable': { who: 'person', body: WithPassword, guesses: 'password', twoFactor: 'off' },
  'POST /two-factor/disable': {
    who: 'person',
    body: WithPassword,
    guesses: 'password',
    twoFactor: 'on',
    audit: 'member.two_factor_disabled',
  },
  'POST /two-factor/generate-backup-codes': {
    who: 'person',
    body: WithPassword,
    guesses: 'password',
    twoFactor: 'on',
    audit: 'member.recovery_codes_renewed',
  },
  'POST /two-factor/verify-totp': {
    who: 'person-or-challenged',
    body: AuthenticatorCode,
    guesses: 'code',
  },
  'POST /two-factor/verify-backup-code': {
    who: 'challenged',
    body: RecoveryCode,
    guesses: 'code',
    audit: 'member.recovery_code_used',
  },
}

const tookTooLong = 'This took too long, or was tried too often. Sign in with your password again.'
const wrongCode = 'This code is not right, or was used before. Wait for the next one.'
// better-auth's own: ten wrong codes in a row, on whichever node.
const lockedSeconds = 900

export type SignInOptions = SignInLimits & { service: Service; origins: string[]; callerLimit: Limit }

/** `/api/auth/*`. `path` is what follows it. */
export async function signIn(
  { service, origins, callerLimit, ...limits }: SignInOptions,
  request: Request,
  path: string,
  from: string,
): Promise<Response> {
  const name = `${request.method} ${path}`
  const route = Object.hasOwn(openRoutes, name) ? openRoutes[name]! : undefined
  if (!route) throw routeNotFound()
  requireOurOrigin(request, origins)
  const body = request.method === 'GET' ? undefined : await parseBody(route, request)
  if (path === '/sign-in/email') {
    await logged(service, from, undefined, countStranger(limits, from, (body as SignIn).email))
  }
  const headers = headersFor(request, from)
  const { person, isSignedIn } = await findSignedInPerson(service, route, headers)
  if (person && isSignedIn) await countRequest(callerLimit, 'person', person.id)
  if (route.guesses && person) {
    const throttleKey = route.guesses === 'code' ? `code ${person.email}` : person.email
    await logged(service, from, person.id, countKnown(limits, from, throttleKey))
  }
  const confirmsSetUp = path === '/two-factor/verify-totp' && isSignedIn
  const needed = confirmsSetUp ? 'off' : route.twoFactor
  if (needed && person!.hasTwoFactor !== (needed === 'on')) {
    throw invalidRequest([{ path: '', message: `Two-factor is ${needed === 'on' ? 'off' : 'on'} already.` }])
  }
  if (path === '/two-factor/verify-totp') {
    const { code } = body as z.infer<typeof AuthenticatorCode>
    if (!(await service.people.useCode(person!.id, code))) {
      if (!isSignedIn) recordFailedSignIn(service, async () => person!.id, from, 'wrong code')
      throw invalidRequest([{ path: 'code', message: wrongCode }])
    }
  }
  const response = await service.people.handler(
    new Request(request.url, {
      method: request.method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
    path === '/sign-in/email' ? { email: (body as SignIn).email } : person,
  )
  if (!response.ok) {
    const problem = await translate(response, path)
    if (!isSignedIn) recordFailure(service, path, problem, person, body, from)
    throw problem
  }
  if (!isSignedIn) await recordSuccess(service, path, response, person, body, from)
  if (path === '/sign-out' && person) await recordSignOut(service, person.id, from)
  // Mailed links stay: a mailbox outranks a password, so whoever has the password cannot keep its owner from proving it.
  if (path === '/change-password') await service.people.endChallenges(person!.id)
  const action = confirmsSetUp ? 'member.two_factor_enabled' : route.audit
  if (action && person) await auditPerson(service, person.id, { actor: person.id, from, action })
  return response
}

/** The limits leave no other trace than a line of the log: who guesses must not fill the audit. */
async function logged(
  service: Service,
  from: string,
  account: string | undefined,
  counting: Promise<void>,
): Promise<void> {
  try {
    await counting
  } catch (error) {
    logSignIn(service, from, account, 'too many attempts')
    throw error
  }
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

/** A session has begun, or its second step. */
async function recordSuccess(
  service: Service,
  path: string,
  response: Response,
  person: Person | undefined,
  body: unknown,
  from: string,
): Promise<void> {
  if (path === '/two-factor/verify-totp') await recordSignIn(service, person!.id, from, 'authenticator')
  if (path === '/two-factor/verify-backup-code')
    await recordSignIn(service, person!.id, from, 'recovery code')
  if (path !== '/sign-in/email') return
  const account = await findAccountId(service, (body as SignIn).email)
  const { twoFactorRedirect } = (await response.clone().json()) as SignedIn
  if (twoFactorRedirect) logSignIn(service, from, account, 'second factor required')
  else if (account) await recordSignIn(service, account, from)
}

/** What better-auth gets to see of the headers: it must read body and cookies the way they were read here. */
function headersFor(request: Request, from: string): Headers {
  const headers = new Headers(request.headers)
  headers.set('handrail-client-address', from)
  headers.set('user-agent', deviceOf(headers, from).userAgent)
  headers.delete('content-length')
  // It also takes forms, and finds one in types that are no type.
  headers.set('content-type', 'application/json')
  // Of two cookies with one name it takes now the first, now the last: an attempt would count for somebody else.
  headers.set('cookie', firstOfEach(headers.get('cookie') ?? ''))
  return headers
}

function firstOfEach(cookies: string): string {
  const names = new Set<string>()
  const isFirst = (cookie: string) => {
    const name = cookie.split('=')[0]!.trim()
    return !names.has(name) && names.add(name)
  }
  return cookies.split(';').filter(isFirst).join(';')
}

async function parseBody({ body }: OpenRoute, request: Request): Promise<unknown> {
  const given = (await readBody(request)) ?? {}
  if (!body) return {}
  const parsed = body.safeParse(given)
  if (!parsed.success) throw invalidRequest(zodViolations(parsed.error))
  return parsed.data
}

async function findSignedInPerson(
  { people }: Service,
  { who }: OpenRoute,
  headers: Headers,
): Promise<{ person: Person | undefined; isSignedIn: boolean }> {
  if (who === 'anyone') return { person: undefined, isSignedIn: false }
  const signedIn = await people.findSignedInPerson(headers)
  if (who === 'person-or-nobody') return { person: signedIn, isSignedIn: signedIn !== undefined }
  if (signedIn && who === 'challenged') {
    throw invalidRequest([{ path: '', message: 'You are signed in. A recovery code is for signing in.' }])
  }
  if (signedIn) return { person: signedIn, isSignedIn: true }
  if (who === 'person') throw notSignedIn()
  const challenged = await people.findChallengedPerson(headers)
  if (!challenged) throw unauthenticated(tookTooLong)
  return { person: challenged, isSignedIn: false }
}

async function translate(response: Response, path: string): Promise<DomainProblem> {
  type Refusal = { code?: string; message?: string }
  const { code, message = 'The request was refused.' } = (await response.json().catch(() => ({}))) as Refusal
  switch (code) {
    case 'INVALID_PASSWORD': {
      const field = path === '/change-password' ? 'currentPassword' : 'password'
      return invalidRequest([{ path: field, message: 'This is not your password.' }])
    }
    case 'INVALID_CODE':
      return invalidRequest([{ path: 'code', message: wrongCode }])
    case 'INVALID_BACKUP_CODE':
      return invalidRequest([{ path: 'code', message: 'This code is not right, or was used before.' }])
    case 'INVALID_TWO_FACTOR_COOKIE':
    case 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE':
      return unauthenticated(tookTooLong)
    case 'ACCOUNT_TEMPORARILY_LOCKED':
      return rateLimited(
        'Too many wrong codes. Wait a quarter of an hour, then sign in again.',
        lockedSeconds,
      )
  }
  // One answer for an unknown address and a wrong password.
  if (path === '/sign-in/email' && response.status === 401) {
    return unauthenticated('E-mail address or password is not right.')
  }
  if (response.status === 401) return notSignedIn()
  if (response.status === 403) return new DomainProblem('forbidden', message)
  if (response.status >= 500) return databaseUnavailable()
  return new DomainProblem('invalid_request', message)
}
