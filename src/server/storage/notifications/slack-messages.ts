import { sql } from 'kysely'
import type { Database, Transaction } from '../engine/database.ts'

export type SlackMessageRow = { taskId: string; target: string; channelId: string; messageTs: string }

/** The wake-up topic of the job that rewrites messages. */
export const slackMessagesChanged = 'slack-messages-changed'

const shownColumns = [
  'status',
  'revision',
  'answer_count',
  'question_count',
  'open_question_count',
  'priority',
  'assigned_to',
  'latest_update_id',
  'handled_by',
]

/** SQL for the state of a task: its columns that a message shows and that can change. */
function stateOf(task: string) {
  const columns = shownColumns.map((column) => `${task}.${column}`)
  return sql.raw<string>(`concat_ws(' ', ${columns.join(', ')}, ${task}.content_deleted_at IS NOT NULL)`)
}

/** The state of the task, to be stored as `shown` of a message. Undefined if there is no such task. */
export async function findTaskState(
  { db, workspaceId }: Transaction,
  taskId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`
    SELECT ${stateOf('t')} AS state FROM tasks t WHERE t.workspace_id = ${workspaceId} AND t.id = ${taskId}`.execute(
    db,
  )
  return rows[0]?.state
}

export async function findSlackMessage(
  { db, workspaceId }: Transaction,
  taskId: string,
  target: string,
): Promise<SlackMessageRow | undefined> {
  return await db
    .selectFrom('slackMessages')
    .select(['taskId', 'target', 'channelId', 'messageTs'])
    .where('workspaceId', '=', workspaceId)
    .where('taskId', '=', taskId)
    .where('target', '=', target)
    .executeTakeFirst()
}

/**
 * `shown`: the state of the task that the message shows. Returns false if another message about the
 * task was saved for this target meanwhile.
 */
export async function saveSlackMessage(
  { db, workspaceId }: Transaction,
  message: SlackMessageRow & { shown: string },
): Promise<boolean> {
  const saved = await db
    .insertInto('slackMessages')
    .values({ workspaceId, ...message, isFinal: false })
    .onConflict((conflict) => conflict.columns(['workspaceId', 'taskId', 'target']).doNothing())
    .returning('taskId')
    .executeTakeFirst()
  return saved !== undefined
}

/** The workspaces with messages that show an earlier state of their task. */
export async function findWorkspacesToRewrite(
  database: Database,
  limit: number,
): Promise<{ workspaceId: string }[]> {
  return await database.allWorkspaces(async (db) => {
    const { rows } = await sql<{ workspaceId: string }>`
      SELECT DISTINCT m.workspace_id FROM slack_messages m
      JOIN tasks t ON t.workspace_id = m.workspace_id AND t.id = m.task_id
      WHERE NOT m.is_final AND m.shown <> ${stateOf('t')} LIMIT ${limit}`.execute(db)
    return rows
  })
}

/**
 * Marks outdated messages as showing the current state and returns them: the caller queues their
 * rewriting in the same transaction, so that each change is queued once.
 */
export async function takeOutdatedMessages(
  { db, workspaceId }: Transaction,
  limit: number,
): Promise<{ taskId: string; target: string }[]> {
  const { rows } = await sql<{ taskId: string; target: string }>`
    UPDATE slack_messages m SET shown = ${stateOf('t')}, is_final = t.status <> 'open'
    FROM tasks t
    WHERE m.workspace_id = ${workspaceId} AND t.workspace_id = m.workspace_id AND t.id = m.task_id
      AND NOT m.is_final AND m.shown <> ${stateOf('t')}
      AND (m.task_id, m.target) IN ( -- only for LIMIT, which an UPDATE cannot have
        SELECT o.task_id, o.target FROM slack_messages o JOIN tasks ot ON ot.workspace_id = o.workspace_id AND ot.id = o.task_id
        WHERE o.workspace_id = ${workspaceId} AND NOT o.is_final AND o.shown <> ${stateOf('ot')} LIMIT ${limit})
    RETURNING m.task_id, m.target`.execute(db)
  return rows
}

/** Call when the content of the tasks is deleted. Returns the deleted rows. */
export async function deleteSlackMessages(
  { db, workspaceId }: Transaction,
  taskIds: string[],
): Promise<SlackMessageRow[]> {
  return await db
    .deleteFrom('slackMessages')
    .where('workspaceId', '=', workspaceId)
    .where('taskId', 'in', taskIds)
    .returning(['taskId', 'target', 'channelId', 'messageTs'])
    .execute()
}

/**
 * Marks all messages about open tasks as outdated. Call when a setting changes what they may show:
 * policies, groups, channels, two-factor authentication.
 */
export async function outdateSlackMessages(tx: Transaction): Promise<void> {
  await sql`UPDATE slack_messages SET shown = '' WHERE workspace_id = ${tx.workspaceId} AND NOT is_final`.execute(
    tx.db,
  )
  tx.wakeUp(slackMessagesChanged)
}
