import type pg from 'pg'
import type { ChooseNotifications, Want } from '../../src/contract/notification.ts'

const all: Want[] = ['urgent', 'high', 'normal', 'low', 'assigned']

/** The body of `PUT /notifications` with these choices and nothing else. */
export function choose(
  choices: Partial<Record<'mail' | 'push' | 'slack', Want[] | 'all'>>,
): ChooseNotifications {
  const wantsOf = (wants: Want[] | 'all' = []) => (wants === 'all' ? all : wants)
  return { mail: wantsOf(choices.mail), push: wantsOf(choices.push), slack: wantsOf(choices.slack) }
}

/** A row in each table about how people are reached, so that a test finds them all filled. */
export async function fillNotificationTables(
  client: pg.Client,
  workspaceId: string,
  taskId: string,
): Promise<void> {
  const rows = [
    `held_notifications (workspace_id, user_id, medium, task_id, reason, label, due_at)
      VALUES ($1, 'usr_test', 'push', $2, 'new', 'New', 'infinity')`,
    `push_subscriptions (id, workspace_id, user_id, endpoint_digest, sealed, user_agent) VALUES ('psh_' || $2, $1, 'usr_test', $2, '', '')`,
    `slack_connections (workspace_id, team_id, team_name, bot_user_id, sealed_token, sealed_signing_secret, connected_by)
      VALUES ($1, 'T1', 'Team', 'U0', '', $2, 'usr_test')`,
    `slack_people (workspace_id, user_id, slack_user_id, slack_name) VALUES ($1, 'usr_test', 'U1', $2)`,
    `slack_codes (workspace_id, user_id, code_digest, expires_at) VALUES ($1, 'usr_test', $2, 'infinity')`,
    `slack_messages (workspace_id, task_id, target, channel_id, message_ts, shown, is_final)
      VALUES ($1, $2, 'C1', 'C1', '1.1', '', true)`,
  ]
  for (const row of rows) await client.query(`INSERT INTO ${row}`, [workspaceId, taskId])
}
