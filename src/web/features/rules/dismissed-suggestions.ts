import { useState } from 'react'
import type { RuleSuggestion } from '../../../contract/rules/rule.ts'
import type { AppAndType } from '../../lib/app-and-type.ts'
import { storedList } from '../../lib/stored-list.ts'

// Stores digests rather than conditions, because conditions may contain what agents sent.
const stored = storedList<string>('dismissedRules', 200)

export function suggestionKey({ app, type }: AppAndType, { when, answer }: RuleSuggestion): string {
  return digest(JSON.stringify([app, type, when, answer.actionId, answer.data]))
}

/** Length of the longest key: 32 bits in base 36. */
export const suggestionKeyLength = 7

/** FNV-1a: enough to tell suggestions apart. */
function digest(text: string): string {
  let hash = 0x811c9dc5
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193)
  return (hash >>> 0).toString(36)
}

/** Suggestions that were dismissed in this browser. */
export function useDismissed(workspaceId: string) {
  const [dismissed, setDismissed] = useState(() => new Set(stored.load()))
  const entry = (key: string) => `${workspaceId} ${key}`
  return {
    isDismissed: (key: string) => dismissed.has(entry(key)),
    dismiss: (key: string) => {
      setDismissed(new Set([...dismissed, entry(key)]))
      stored.add(entry(key))
    },
  }
}
