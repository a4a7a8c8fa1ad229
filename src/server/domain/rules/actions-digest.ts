import type { Action } from '../../../contract/action.ts'
import { canonicalText } from '../../../contract/forms/comparable-answer.ts'
import { sha256Hex } from '../../lib/sha256.ts'

/** Actions with equal JSON have the same digest, whatever the order of the keys in objects. */
export function actionsDigest(actions: Action[]): string {
  return sha256Hex(canonicalText(actions))
}
