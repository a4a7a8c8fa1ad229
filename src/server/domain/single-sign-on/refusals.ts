import { OidcError } from '../../lib/oidc-client.ts'
import { DomainProblem, forbidden } from '../problems.ts'
import type { Service } from '../service.ts'

/**
 * Logs an OidcError for the operator. Returns the problem to throw instead, which tells people what
 * they can do. Other errors are returned as they are.
 */
export function logOidcError({ log, singleSignOn }: Service, error: unknown): unknown {
  if (!(error instanceof OidcError)) return error
  log.warn({ reason: error.message }, 'single sign-on failed')
  const name = singleSignOn?.name
  if (error.kind === 'unreachable')
    return new DomainProblem('unavailable', `${name} did not respond. Try again in a minute.`, {
      retryAfterSeconds: 60,
    })
  return forbidden(
    `The response from ${name} could not be verified. Start again; if it happens again, tell the operator of this service.`,
  )
}

export function expiredSignIn(): DomainProblem {
  return forbidden(
    'This sign-in has expired, was already completed, or was started in another browser. Start again.',
  )
}
