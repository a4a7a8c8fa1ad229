import type { ProblemCode } from '../../contract/problem.ts'
import { countInvalid, type Violation, Violations } from '../../contract/violation.ts'

/** What a use case throws when it says no. Each door translates it once. */
export class DomainProblem extends Error {
  override name = 'DomainProblem'
  readonly code: ProblemCode
  readonly errors: Violation[] | undefined
  readonly extra: Record<string, unknown> | undefined

  constructor(
    code: ProblemCode,
    detail: string,
    more: { errors?: Violation[]; extra?: Record<string, unknown> } = {},
  ) {
    super(detail)
    this.code = code
    this.errors = more.errors
    this.extra = more.extra
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
  return new DomainProblem('not_found', `There is no such ${what} in this workspace.`)
}

export function noSuchAddress(): DomainProblem {
  return new DomainProblem('not_found', 'There is no such address. See /docs for those there are.')
}

export function forbidden(detail: string): DomainProblem {
  return new DomainProblem('forbidden', detail)
}

/** Right as a request, but not in the state things are in. */
export function conflict(detail: string): DomainProblem {
  return new DomainProblem('conflict', detail)
}

export function unauthenticated(detail: string): DomainProblem {
  return new DomainProblem('unauthenticated', detail)
}

export function rateLimited(detail: string, retryAfterSeconds: number): DomainProblem {
  return new DomainProblem('rate_limited', detail, { extra: { retryAfterSeconds } })
}

export function databaseAway(): DomainProblem {
  return new DomainProblem('unavailable', 'The database does not answer right now. Try again in a moment.', {
    extra: { retryAfterSeconds: 1 },
  })
}

export function payloadTooLarge(detail: string, errors?: Violation[]): DomainProblem {
  return new DomainProblem('payload_too_large', detail, errors ? { errors } : {})
}
