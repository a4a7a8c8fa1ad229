import { z } from 'zod'
import { Email } from '../../contract/field.ts'
import { limits } from '../../contract/limits.ts'
import { zodViolations } from '../../contract/zod-violations.ts'
import { DomainProblem, databaseAway, invalidRequest, notFound, unauthenticated } from '../domain/problems.ts'
import type { Service } from '../domain/service.ts'
import { requireOurOrigin } from './authenticate.ts'
import { readBody } from './read-request.ts'
import { countAttempt, type SignInLimits } from './sign-in-limits.ts'

/** Of better-auth only this is open; sign-up and the rest answer as if they were not there. */
const open = new Set([
  'POST /sign-in/email',
  'POST /sign-out',
  'GET /get-session',
  'GET /list-sessions',
  'POST /revoke-session',
  'POST /revoke-other-sessions',
  'POST /change-password',
])

const SignIn = z.looseObject({ email: Email, password: z.string().max(limits.passwordMax) })

export type SignInOptions = SignInLimits & { service: Service; origins: string[] }

/** `/api/auth/*`. `path` is what follows it. */
export async function signIn(
  { service, origins, ...attempts }: SignInOptions,
  request: Request,
  path: string,
  from: string,
): Promise<Response> {
  if (!open.has(`${request.method} ${path}`)) throw notFound('address')
  requireOurOrigin(request, origins)
  const body = request.method === 'GET' ? undefined : ((await readBody(request)) ?? {})
  if (path === '/sign-in/email') {
    const parsed = SignIn.safeParse(body)
    if (!parsed.success) throw invalidRequest(zodViolations(parsed.error))
    await countAttempt(attempts, from, parsed.data.email)
  } else if (path === '/change-password') {
    // Whoever has found an open session must not find out the password as well.
    const person = await service.people.whoIs(request.headers)
    await countAttempt(attempts, from, person?.email ?? '')
  }
  const headers = new Headers(request.headers)
  headers.set('handrail-client-address', from)
  headers.delete('content-length')
  const response = await service.people.handler(
    new Request(request.url, {
      method: request.method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  if (response.ok) return response
  throw await translate(response)
}

async function translate(response: Response): Promise<DomainProblem> {
  const { message = 'The request was refused.' } = (await response.json().catch(() => ({}))) as {
    message?: string
  }
  // One answer for an unknown address and a wrong password.
  if (response.status === 401) return unauthenticated('E-mail address or password is not right.')
  if (response.status === 403) return new DomainProblem('forbidden', message)
  if (response.status >= 500) return databaseAway()
  return new DomainProblem('invalid_request', message)
}
