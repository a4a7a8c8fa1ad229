import { useSyncExternalStore } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import type { AskQuestion } from '../../../contract/question.ts'
import { forgetKeysOf, registerMemory } from '../../lib/person-memory.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { readStored, writeStored } from '../answers/unsaved-drafts.ts'

/** Questions and requests for changes. */
export const notSent = "Your message to the agent wasn't sent."

type MessageDraft = {
  text: string
  /** With the key of the last attempt: sending the same again, also after leaving the task, never asks twice. */
  lastSent?: AskQuestion | undefined
  /** Why it was not sent, also if the person has left the task since. */
  problem?: HandrailProblem | undefined
}

/** By person and message. Also stored in the tab, except for the problem. */
const drafts = new Map<string, MessageDraft>()
const listeners = new Set<() => void>()
registerMemory({ forget: (userId) => forgetKeysOf(drafts, userId) })

const empty: MessageDraft = { text: '' }

/** What a person has written to the agent or to colleagues about a task and not sent. It survives a reload. */
export function useMessageDraft(to: 'agent' | 'colleagues', taskId: string) {
  const { userId } = useWorkspace().me.person
  const name = `${taskId}.${to}`
  const key = `${userId} ${name}`

  /** As it is now, which may be later than the last render. */
  function latest(): MessageDraft {
    const draft = drafts.get(key) ?? readStored<MessageDraft>(userId, name) ?? empty
    drafts.set(key, draft)
    return draft
  }

  function change(changes: Partial<MessageDraft>) {
    const draft = { ...latest(), ...changes }
    const { problem: _, ...stored } = draft
    drafts.set(key, draft)
    writeStored(userId, name, draft.text === '' ? undefined : stored)
    for (const listener of listeners) listener()
  }

  return { ...useSyncExternalStore(subscribe, latest), latest, change }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
