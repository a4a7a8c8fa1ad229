import { useSyncExternalStore } from 'react'
import type { HandrailProblem } from '../../../../client/problem.ts'
import type { AskQuestion } from '../../../../contract/question.ts'
import { forgetKeysOf, registerMemory } from '../../../lib/person-memory.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { readStored, writeStored } from '../../answers/unsaved-drafts.ts'

/** Shown for questions and for requests for changes. */
export const notSentText = "Your message to the agent wasn't sent."

type MessageDraft = {
  text: string
  /**
   * The last attempt. It has an idempotency key, so sending the same again, even after leaving the
   * task, never asks twice.
   */
  lastSent?: AskQuestion | undefined
  /** Why the message was not sent, kept if the person leaves the task. */
  problem?: HandrailProblem | undefined
}

/** By person, task and addressee. Also in the tab's session storage, without the problem. */
const drafts = new Map<string, MessageDraft>()
const listeners = new Set<() => void>()
registerMemory({ forget: (userId) => forgetKeysOf(drafts, userId) })

const empty: MessageDraft = { text: '' }

/**
 * What a person has written to the agent or to colleagues about a task and not sent. It survives a
 * reload.
 */
export function useMessageDraft(to: 'agent' | 'colleagues', taskId: string) {
  const { userId } = useWorkspace().me.person
  const name = `${taskId}.${to}`
  const key = `${userId} ${name}`

  /** The draft as it is now, which may be newer than at the last render. */
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
