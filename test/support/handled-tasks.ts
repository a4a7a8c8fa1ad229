import type { EditLevel } from '../../src/contract/edits/word-diff.ts'
import type { DecidedBy } from '../../src/contract/task-answer.ts'
import type { StoredAction } from '../../src/server/storage/engine/task-tables.ts'
import { asOwner } from './rows.ts'

export type HandledTask = {
  app?: string
  type?: string
  version?: string
  actionId?: string
  actionTitle?: string
  data?: Record<string, unknown>
  decidedBy?: DecidedBy
  /** With decidedBy rule. */
  ruleId?: string
  handledBy?: string
  /** How long ago it was answered, in days. */
  daysAgo?: number
  /** From creation to answer. */
  seconds?: number
  /** Seconds from creation to the time by which people should have answered. */
  answerWithin?: number
  presented?: object
  context?: object
  actions?: StoredAction[]
  editLevel?: EditLevel
}

const usualActions = [
  { id: 'approve', title: 'Approve' },
  { id: 'reject', title: 'Reject', schema: { type: 'object', properties: { reason: { type: 'string' } } } },
]

let inserted = 0

/** Inserts tasks that were answered in the past, which the API cannot create. Returns their ids. */
export async function insertHandled(
  databaseUrl: string,
  workspaceId: string,
  tasks: HandledTask[],
): Promise<string[]> {
  const rows = tasks.map((task) => {
    const actionId = task.actionId ?? 'approve'
    const actions = task.actions ?? usualActions
    return {
      id: `tsk_${String(inserted++).padStart(26, '0')}`,
      app: task.app ?? 'default',
      type: task.type ?? 'refund-approval',
      version: task.version ?? null,
      action_id: actionId,
      action_title: task.actionTitle ?? actions.find(({ id }) => id === actionId)?.title ?? 'Reject task',
      answer: JSON.stringify(task.data ?? {}),
      decided_by: task.decidedBy ?? 'human',
      handled_by:
        task.decidedBy === undefined || task.decidedBy === 'human'
          ? (task.handledBy ?? 'mara@example.com')
          : `service:${task.decidedBy}`,
      rule_id: task.decidedBy === 'rule' ? (task.ruleId ?? `rul_${'0'.repeat(26)}`) : null,
      days_ago: task.daysAgo ?? 0.001,
      seconds: task.seconds ?? 60,
      answer_within: task.answerWithin ?? null,
      presented: task.presented ? JSON.stringify(task.presented) : null,
      context: task.context ? JSON.stringify(task.context) : null,
      actions: JSON.stringify(actions),
      edit_level: task.editLevel ?? null,
    }
  })
  await asOwner(databaseUrl, async (client) => {
    await client.query('SET handrail.crossing = on')
    await client.query(
      `WITH given AS (
         SELECT * FROM json_to_recordset($2::json) AS g (id text, app text, type text, version text, action_id text,
           action_title text, answer text, decided_by text, handled_by text, days_ago float, seconds float, answer_within float, presented text,
           context text, actions text, edit_level text, rule_id text)
       ), content AS (
         INSERT INTO task_contents (task_id, workspace_id, context, actions)
         SELECT id, $1, context::json, actions::json FROM given
       )
       INSERT INTO tasks (id, workspace_id, thread_id, status, app, type, name, description, version, priority, delivery,
         created_by, created_at, updated_at, ended_at, action_id, action_title, answer, handled_by, decided_by, via, presented, edit_level, answer_by, rule_id)
       SELECT id, $1, id, 'handled', app, type, 'Refund?', 'The parcel came back.', version, 2, 'poll', 'key_test',
         app_now() - make_interval(secs => days_ago * 86400 + seconds), app_now(), app_now() - make_interval(secs => days_ago * 86400),
         action_id, action_title, answer::json, handled_by, decided_by, CASE decided_by WHEN 'human' THEN 'web' ELSE decided_by END, presented::json, edit_level,
         app_now() - make_interval(secs => days_ago * 86400 + seconds - answer_within), rule_id
       FROM given`,
      [workspaceId, JSON.stringify(rows)],
    )
  })
  return rows.map(({ id }) => id)
}

/** Oldest first, over the last days, so that the last one is the newest. */
export const overDays = (days: number, tasks: HandledTask[]): HandledTask[] =>
  tasks.map((task, i) => ({ ...task, daysAgo: days * (1 - i / tasks.length) }))
