import type { ProblemCode } from '../../contract/problem.ts'
import { countInvalid, type Violation, Violations } from '../../contract/violation.ts'

/** Thrown by a use case that refuses a request. Each entry point translates it once. */
export class DomainProblem extends Error {
  override name = 'DomainProblem'
  readonly code: ProblemCode
  readonly errors: Violation[] | undefined
  readonly retryAfterSeconds: number | undefined
  /** Headers of the response. */
  readonly headers: Record<string, string> | undefined
  /** Additional fields of the problem document. */
  readonly fields: Record<string, unknown> | undefined

  constructor(
    code: ProblemCode,
    detail: string,
    more: Partial<Pick<DomainProblem, 'errors' | 'retryAfterSeconds' | 'headers' | 'fields'>> = {},
  ) {
    super(detail)
    this.code = code
    this.errors = more.errors
    this.retryAfterSeconds = more.retryAfterSeconds
    this.headers = more.headers
    this.fields = more.fields
  }
}

export function invalidRequest(found: Iterable<Violation>): DomainProblem {
  const violations = new Violations()
  violations.addAll(found)
  const errors = violations.list
  const [first] = errors
  const detail =
    errors.length === 1 && first
      ? first.path === ''
        ? first.message
        : `${first.path}: ${first.message}`
      : `${countInvalid(errors)}. See errors.`
  return new DomainProblem('invalid_request', detail, { errors })
}

export function notFound(what: string): DomainProblem {
  return new DomainProblem('not_found', `There is no such ${what} in this workspace. Check the id.`)
}

export function routeNotFound(basePath: string): DomainProblem {
  return new DomainProblem('not_found', `Route not found. See ${basePath}/docs for all routes.`)
}

export function forbidden(detail: string): DomainProblem {
  return new DomainProblem('forbidden', detail)
}

/** The request is valid, but not in the current state. */
export function conflict(detail: string): DomainProblem {
  return new DomainProblem('conflict', detail)
}

export function unauthenticated(detail: string): DomainProblem {
  return new DomainProblem('unauthenticated', detail)
}

export function rateLimited(detail: string, retryAfterSeconds: number): DomainProblem {
  return new DomainProblem('rate_limited', detail, { retryAfterSeconds })
}

export function temporarilyUnavailable(): DomainProblem {
  return new DomainProblem(
    'unavailable',
    'The service is temporarily unavailable. Try again in a few seconds.',
    { retryAfterSeconds: 1 },
  )
}

export function payloadTooLarge(detail: string, errors?: Violation[]): DomainProblem {
  return new DomainProblem('payload_too_large', detail, errors ? { errors } : {})
}
