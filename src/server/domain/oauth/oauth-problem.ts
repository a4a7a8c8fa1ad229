import { DomainProblem } from '../problems.ts'

/** Refuses a request of a person whom an OAuth client sent here, in a problem document. */
export function refusedAuthorization(detail: string): DomainProblem {
  return new DomainProblem('invalid_request', detail)
}

/**
 * Refuses a request of an OAuth client, in the format of RFC 6749 and RFC 7591 instead of a problem
 * document.
 */
export class OAuthProblem extends Error {
  override name = 'OAuthProblem'
  readonly code: string
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: string,
    description: string,
    { status = 400, retryAfterSeconds = undefined as number | undefined } = {},
  ) {
    super(description)
    this.code = code
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}
