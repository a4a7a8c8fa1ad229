import type { InboxRow, RowConversation } from '../../../contract/inbox.ts'
import { priorities } from '../../../contract/task-fields.ts'
import { startOf, truncate } from '../../../contract/truncate.ts'
import type { InboxTaskRow } from '../../storage/inbox/inbox.ts'
import type { Snooze } from '../../storage/inbox/snoozes.ts'

const snippetLength = 140
// Only this much of a long text is read: more than a snippet, because consecutive spaces become
// one. The inbox selects as much of a description (inboxColumns).
const readLength = 600

/** The beginning of a text on one line. */
export function snippetOf(text: string): string {
  return truncate(startOf(text, readLength).replace(/\s+/gu, ' ').trim(), snippetLength)
}

/** `snoozes` are those of the person who reads the rows. */
export function presentInboxRows(rows: InboxTaskRow[], snoozes: Snooze[]): InboxRow[] {
  const untilOf = new Map(snoozes.map(({ taskId, until }) => [taskId, until]))
  return rows.map((row) => presentInboxRow(row, untilOf.get(row.id)))
}

function presentInboxRow(row: InboxTaskRow, snoozedUntil: Date | undefined): InboxRow {
  return {
    taskId: row.id,
    threadId: row.threadId,
    name: row.name,
    snippet: snippetOf(row.description),
    app: row.app,
    type: row.type,
    priority: priorities[row.priority]!,
    delivery: row.delivery,
    createdAt: row.createdAt.toISOString(),
    revision: row.revision,
    ...(row.expiresAt !== null && { expiresAt: row.expiresAt.toISOString() }),
    // While the task waits for the agent, it has no target time.
    ...(row.answerBy !== null && row.agentDueAt === null && { answerBy: row.answerBy.toISOString() }),
    ...(row.assignedTo !== null && { assignedTo: row.assignedTo }),
    ...(row.updateLevel !== null &&
      row.updateAt !== null && { latestUpdate: { level: row.updateLevel, at: row.updateAt.toISOString() } }),
    ...(row.claimedBy !== null && {
      claim: { userId: row.claimedBy, name: row.claimedByName ?? '', until: row.claimedUntil!.toISOString() },
    }),
    hasDraft: row.hasDraft,
    ...(snoozedUntil && { snoozedUntil: snoozedUntil.toISOString() }),
    ...(row.questionText !== null && { conversation: presentConversation(row) }),
    ...(row.needed !== null && {
      review: {
        needed: row.needed,
        given: row.answerCount,
        ...(row.hasAnswered && { answered: true as const }),
      },
    }),
  }
}

function presentConversation(row: InboxTaskRow): RowConversation {
  const state = row.agentDueAt !== null ? 'waiting' : row.openQuestionCount === 0 ? 'replied' : 'unanswered'
  return {
    state,
    text: snippetOf(state === 'replied' ? row.replyMessage! : row.questionText!),
    askedBy: row.askedBy!,
    at: (state === 'replied' ? row.repliedAt! : row.askedAt!).toISOString(),
  }
}
