import { useSyncExternalStore } from 'react'
import type { HandrailProblem } from '../../../../client/problem.ts'
import type { AskQuestion } from '../../../../contract/question.ts'
import { deleteKeysOf, registerInMemoryDrafts } from '../../../lib/in-memory-drafts.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { readStored, writeStored } from '../../answers/unsaved-drafts.ts'

/** Shown for questions and for requests for changes. */
export const notSentText = "Your message to the agent wasn't sent."

type MessageDraft = {
  text: string
  /**
   * What was sent without a confirmed response. Sending the same text again, even after leaving the
   * task, uses its idempotency key, so that the agent is not asked twice.
   */
  lastSent?: AskQuestion | undefined
  /** Why the message was not sent. Kept if the person leaves the task. */
  problem?: HandrailProblem | undefined
}

/**
 * By person, task and addressee. Each draft is also stored in the session storage of the tab, without
 * its problem.
 */
const drafts = new Map<string, MessageDraft>()
const listeners = new Set<() => void>()
registerInMemoryDrafts({ forget: (userId) => deleteKeysOf(userId, drafts) })

const empty: MessageDraft = { text: '' }

/**
 * What a person has written to the agent or to colleagues about a task and not sent. It survives a
 * reload.
 */
export function useMessageDraft(to: 'agent' | 'colleagues', taskId: string) {
  const { userId } = useWorkspace().me.person
  const name = `${taskId}.${to}`
  const key = `${userId} ${name}`

  /** The current draft, which may be newer than the one of the last render. */
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
