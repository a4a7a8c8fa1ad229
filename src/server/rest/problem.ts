import { type Problem, type ProblemCode, problemStatus } from '../../contract/problem.ts'
import { DomainProblem, temporarilyUnavailable } from '../domain/problems.ts'
import type { Service } from '../domain/service.ts'
import { isTransient } from '../lib/transient-error.ts'

const titles: Record<ProblemCode, string> = {
  invalid_request: 'Invalid request',
  unauthenticated: 'Authentication required',
  forbidden: 'Forbidden',
  two_factor_required: 'Two-factor authentication required',
  not_a_reviewer: 'Not a reviewer',
  not_found: 'Not found',
  task_not_open: 'Task not open',
  task_revised: 'Task revised',
  already_answered: 'Already answered',
  idempotency_conflict: 'Idempotency key already used',
  conflict: 'Conflict',
  payload_too_large: 'Payload too large',
  rate_limited: 'Too many requests',
  internal: 'Internal error',
  unavailable: 'Service unavailable',
}

/** Turns an error into the problem that the caller sees. The cause of an unexpected error is only logged. */
export function toDomainProblem({ log }: Service, error: unknown, requestId: string): DomainProblem {
  if (error instanceof DomainProblem) return error
  if (isTransient(error)) {
    log.warn({ err: error, requestId }, 'request failed with a transient error')
    return temporarilyUnavailable()
  }
  log.error({ err: error, requestId }, 'request failed')
  return new DomainProblem(
    'internal',
    'The request failed because of an internal error. If it happens again, report the requestId.',
  )
}

export function presentProblem(problem: DomainProblem, requestId: string): Problem {
  const { code, message, errors, fields } = problem
  return {
    type: `urn:handrail:problem:${code}`,
    title: titles[code],
    status: problemStatus[code],
    code,
    detail: message,
    ...(errors && { errors }),
    ...fields,
    requestId,
  }
}

export function problemResponse(problem: DomainProblem, requestId: string): Response {
  const body = presentProblem(problem, requestId)
  const { status } = body
  const headers = new Headers({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...problem.headers,
  })
  if (problem.retryAfterSeconds !== undefined) headers.set('retry-after', String(problem.retryAfterSeconds))
  if (status === 401) headers.set('www-authenticate', 'Bearer realm="handrail"')
  return new Response(JSON.stringify(body), { status, headers })
}
