import { asOwner } from './rows.ts'

export type InsertedRule = { ruleId: string; name?: string; state?: 'active' | 'paused' | 'ended' }

/**
 * Inserts a rule of shop and refund-approval, with a version that has passed and an open sample,
 * without any task.
 */
export async function insertRule(
  databaseUrl: string,
  workspaceId: string,
  { ruleId, name = 'Small refunds', state = 'active' }: InsertedRule,
): Promise<void> {
  await asOwner(databaseUrl, async (client) => {
    await client.query('SET handrail.crossing = on')
    await client.query(
      `INSERT INTO rules (id, workspace_id, name, app, type, conditions, action, actions_digest, sample, until,
         allowed_disagreement, state, paused_because, evidence, created_by)
       VALUES ($1, $2, $3, 'shop', 'refund-approval', '[]', '{"id":"approve","title":"Approve"}', '', 0.1,
         app_now() + interval '1 day', 0.02, $4, CASE $4 WHEN 'paused' THEN 'person' END, '{}', 'usr_test')`,
      [ruleId, workspaceId, name, state],
    )
    await client.query(
      `INSERT INTO rule_versions (workspace_id, rule_id, version, passed_at) VALUES ($1, $2, '1.0', app_now())`,
      [workspaceId, ruleId],
    )
    await client.query(
      `INSERT INTO rule_samples (workspace_id, task_id, rule_id, kind, generation, drawn_at)
       VALUES ($1, 'tsk_' || substr($2, 5), $2, 'sample', 1, app_now())`,
      [workspaceId, ruleId],
    )
  })
}
