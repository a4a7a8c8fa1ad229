import { useSyncExternalStore } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import type { AskQuestion } from '../../../contract/question.ts'
import { forgetKeysOf, registerMemory } from '../../lib/person-memory.ts'

/** Questions and requests for changes. */
export const notSent = "Your message to the agent wasn't sent."

type QuestionDraft = {
  text: string
  /** With the key of the last attempt: sending the same again, also after leaving the task, never asks twice. */
  lastSent?: AskQuestion | undefined
  /** Why it was not sent, also if the person has left the task since. */
  problem?: HandrailProblem | undefined
}

/** What a person has written to the agent, by person and task, while the page is open. */
const drafts = new Map<string, QuestionDraft>()
const listeners = new Set<() => void>()
registerMemory({ forget: (userId) => forgetKeysOf(drafts, userId) })

const empty: QuestionDraft = { text: '' }

export function questionDraft(key: string): QuestionDraft {
  return drafts.get(key) ?? empty
}

export function useQuestionDraft(key: string): QuestionDraft {
  return useSyncExternalStore(subscribe, () => questionDraft(key))
}

export function changeQuestionDraft(key: string, change: Partial<QuestionDraft>): void {
  drafts.set(key, { ...questionDraft(key), ...change })
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
