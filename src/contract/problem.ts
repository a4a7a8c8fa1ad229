import { z } from 'zod'

/** The codes of problems, over REST and in tool results, with the HTTP status of each. */
export const problemStatus = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  two_factor_required: 403,
  not_a_reviewer: 403,
  not_found: 404,
  task_not_open: 409,
  task_revised: 409,
  already_answered: 409,
  idempotency_conflict: 409,
  conflict: 409,
  payload_too_large: 413,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const

export type ProblemCode = keyof typeof problemStatus

/** The body of an error response, with the media type `application/problem+json`. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.enum(Object.keys(problemStatus) as [ProblemCode, ...ProblemCode[]]),
  detail: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  requestId: z.string(),
  taskStatus: z
    .string()
    .optional()
    .meta({ description: 'With task_not_open: the current status of the task.' }),
  revision: z.int().optional().meta({ description: 'With task_revised: the current revision.' }),
  handledBy: z.string().optional(),
  handledAt: z.string().optional(),
  actionId: z.string().optional(),
})
export type Problem = z.infer<typeof Problem>
