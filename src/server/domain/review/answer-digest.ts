import type { Action } from '../../../contract/action.ts'
import { comparableAnswer } from '../../../contract/forms/comparable-answer.ts'
import { sha256Hex } from '../../lib/sha256.ts'

/** Two answers have the same digest if they agree. */
export function answerDigest(
  action: Pick<Action, 'id' | 'schema' | 'ui'>,
  data: Record<string, unknown>,
  contextData: unknown,
): string {
  return sha256Hex(comparableAnswer(action, data, contextData))
}
