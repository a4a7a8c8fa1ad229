import { checkAnswer } from '../../../contract/forms/check-answer.ts'
import type { Violation } from '../../../contract/violation.ts'

export type CheckRequest = { id: number; schema: unknown; data: unknown }
export type CheckReply = { id: 'ready' } | { id: number; errors: Violation[] | null }

// The page terminates this worker if a pattern sent by an agent takes too long.

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    // RE2 syntax that JavaScript cannot parse: the server decides.
    return true
  }
}

const reply = (message: CheckReply) => postMessage(message)

addEventListener('message', ({ data: request }: MessageEvent<CheckRequest>) => {
  try {
    reply({ id: request.id, errors: checkAnswer(request.schema, request.data, { matches }) })
  } catch {
    reply({ id: request.id, errors: null })
  }
})
reply({ id: 'ready' })
