import type { Violation } from '../../../contract/violation.ts'
import { certainErrors } from './certain-errors.ts'

export type CheckRequest = { id: number; schema: unknown; data: unknown }
/**
 * `ready` is posted once, when the worker has loaded. `errors` is null if the answer could not be
 * checked.
 */
export type CheckResult = { id: 'ready' } | { id: number; errors: Violation[] | null }

// The page terminates this worker if a check takes too long, for example because of a slow pattern
// that an agent has sent.

const post = (message: CheckResult) => postMessage(message)

addEventListener('message', ({ data: request }: MessageEvent<CheckRequest>) => {
  try {
    post({ id: request.id, errors: certainErrors(request.schema, request.data) })
  } catch {
    post({ id: request.id, errors: null })
  }
})
post({ id: 'ready' })
