import type { Action } from '../../../contract/action.ts'
import { canonicalText } from '../../../contract/forms/comparable-answer.ts'
import { sha256Hex } from '../../lib/sha256.ts'

/** Equal for actions that people see and answer in the same way. The order of keys does not matter. */
export function actionsDigest(actions: Action[]): string {
  return sha256Hex(canonicalText(actions))
}
