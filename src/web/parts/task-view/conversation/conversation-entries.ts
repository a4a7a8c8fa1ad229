import type { TaskNote } from '../../../../contract/note.ts'
import type { Question } from '../../../../contract/question.ts'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import type { TaskUpdate } from '../../../../contract/task-update.ts'

export type ConversationEntry =
  | { kind: 'question'; at: string; question: Question }
  /** A reply to a question, a revision of the task, or both. */
  | { kind: 'reply-or-revision'; at: string; update: TaskUpdate }
  /** Consecutive updates that are only status messages. */
  | { kind: 'updates'; at: string; updates: TaskUpdate[] }
  /** Written by a member, or the record of an assignment, a reminder or an escalation. */
  | { kind: 'note'; at: string; note: TaskNote }

/**
 * A conversation is shown once a person has asked, written a note or assigned the task, the agent
 * has revised it, or a reminder or an escalation was recorded.
 */
export function hasConversation(task: MemberTaskRecord): boolean {
  return task.revision > 1 || (task.questions?.length ?? 0) > 0 || (task.notes?.length ?? 0) > 0
}

export function isReplyOrRevision({ answers, revision }: TaskUpdate): boolean {
  return answers !== undefined || revision !== undefined
}

/** Questions, replies, revisions, notes and status messages of the task, oldest first. */
export function conversationEntries({
  questions = [],
  updates = [],
  notes = [],
}: MemberTaskRecord): ConversationEntry[] {
  const messages: ConversationEntry[] = [
    ...notes.map((note) => ({ kind: 'note' as const, at: note.at, note })),
    ...questions.map((question) => ({ kind: 'question' as const, at: question.askedAt, question })),
    ...updates.map((update) =>
      isReplyOrRevision(update)
        ? { kind: 'reply-or-revision' as const, at: update.at, update }
        : { kind: 'updates' as const, at: update.at, updates: [update] },
    ),
  ]
  const entries: ConversationEntry[] = []
  for (const message of messages.sort((a, b) => a.at.localeCompare(b.at))) {
    const last = entries.at(-1)
    if (message.kind === 'updates' && last?.kind === 'updates') last.updates.push(...message.updates)
    else entries.push(message)
  }
  return entries
}
