import { type Problem, type ProblemCode, problemStatus } from '../../contract/problem.ts'
import { DomainProblem, databaseUnavailable } from '../domain/problems.ts'
import { isTransient } from '../lib/transient-error.ts'

const titles: Record<ProblemCode, string> = {
  invalid_request: 'The request is not right',
  unauthenticated: 'Who is asking?',
  forbidden: 'Not allowed',
  not_found: 'Not found',
  task_not_open: 'The task is not open',
  idempotency_conflict: 'The idempotency key was used for another request',
  conflict: 'Not as things stand',
  payload_too_large: 'Too large',
  rate_limited: 'Too many requests',
  internal: 'Something broke on our side',
  unavailable: 'Not available right now',
}

export function toDomainProblem(error: unknown): DomainProblem {
  if (error instanceof DomainProblem) return error
  if (isTransient(error)) return databaseUnavailable()
  return new DomainProblem(
    'internal',
    'The request was not carried out. Tell us the requestId if it happens again.',
  )
}

export function problemResponse(problem: DomainProblem, requestId: string): Response {
  const { code, message, errors, extra = {} } = problem
  const { retryAfterSeconds, headers: own = {}, ...more } = extra
  const status = problemStatus[code]
  const body: Problem = {
    type: `urn:handrail:problem:${code}`,
    title: titles[code],
    status,
    code,
    detail: message,
    ...(errors && { errors }),
    ...more,
    requestId,
  }
  const headers = new Headers({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...(own as Record<string, string>),
  })
  if (typeof retryAfterSeconds === 'number') headers.set('retry-after', String(retryAfterSeconds))
  if (status === 401) headers.set('www-authenticate', 'Bearer realm="handrail"')
  return new Response(JSON.stringify(body), { status, headers })
}
