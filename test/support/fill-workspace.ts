import { expect, vi } from 'vitest'
import { rollUpAnswers } from '../../src/server/domain/feedback/roll-up-answers.ts'
import { waitForAuditChain } from './audit.ts'
import { insertHandled } from './handled-tasks.ts'
import { choose, fillNotificationTables } from './notifications.ts'
import { connectApp } from './oauth.ts'
import { asOwner } from './rows.ts'
import { insertRule } from './rules.ts'
import { inAnHour, type TestService, type TestWorkspace, taskPayload } from './service.ts'
import { waitOptions } from './wait-options.ts'

/**
 * Creates rows in every table with a workspace. Returns the id of an open task. Needs
 * CALLBACK_ALLOW_CIDRS with 127.0.0.1.
 */
export async function fillWorkspace(
  { app, url, databaseUrl }: TestService,
  workspace: TestWorkspace,
): Promise<string> {
  const payload = taskPayload({ idempotencyKey: 'once', acceptsQuestions: true })
  const { taskId } = (await workspace.agent.post('/tasks', payload)).body
  await workspace.owner.post(`/tasks/${taskId}/questions`, { text: 'Why?', kind: 'question' })
  const revision = { task: { name: 'Refund €44?' } }
  await workspace.agent.post(`/tasks/${taskId}/updates`, { message: 'On it', revision })
  await workspace.owner.post(`/tasks/${taskId}/notes`, { text: 'Seen.' })
  await workspace.owner.put('/views', { views: [{ name: 'Mine', filters: { assigned: 'me' } }] })
  await workspace.owner.put(`/tasks/${taskId}/snooze`, { until: inAnHour() })
  await workspace.owner.post(`/tasks/${taskId}/claim`)
  await workspace.owner.put(`/tasks/${taskId}/drafts/decline`, { data: {} })
  await workspace.owner.post('/groups', { slug: 'desk', members: [workspace.ownerEmail] })
  const escalate = [{ afterMinutes: 60, to: 'group:desk' }]
  await workspace.owner.post('/policies', { app: 'desk', by: ['group:desk'], escalate })
  const reviewed = (await workspace.agent.post('/tasks', taskPayload({ app: 'desk' }))).body
  await workspace.owner.post(`/tasks/${reviewed.taskId}/handle`, { actionId: 'approve' })
  const quietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', exceptUrgent: true }
  await workspace.owner.put('/notifications', { ...choose({ mail: 'all' }), quietHours })
  await workspace.owner.post('/feedback-analyses', { type: 'refund-approval' })
  const outcome = { type: 'refund-approval', actionId: 'approve', outcome: 'positive' }
  await workspace.owner.put('/action-outcomes', outcome)
  await insertHandled(databaseUrl, workspace.workspaceId, [
    { type: 'review', daysAgo: 3, editLevel: 'light' },
  ])
  // Ids are unique across workspaces.
  await insertRule(databaseUrl, workspace.workspaceId, { ruleId: `rul_${workspace.workspaceId.slice(4)}` })
  await rollUpAnswers(app.service, new AbortController().signal)
  await workspace.owner.post('/invitations', { email: 'someone@example.com' })
  await connectApp(url, workspace)
  // Never due, so that the rows stay.
  await asOwner(databaseUrl, async (client) => {
    await client.query('SET handrail.crossing = on')
    await client.query(
      "INSERT INTO erasures (workspace_id, user_id, due_at) VALUES ($1, 'usr_test', 'infinity')",
      [workspace.workspaceId],
    )
    await fillNotificationTables(client, workspace.workspaceId, taskId)
    await client.query('INSERT INTO pruned_events (workspace_id, epoch, xid, id) VALUES ($1, 0, 0, 0)', [
      workspace.workspaceId,
    ])
  })
  // Nothing listens on this port: the attempt is recorded and the delivery stays pending.
  await workspace.owner.post('/webhooks/test', { url: 'http://127.0.0.1:1/' })
  await vi.waitFor(async () => {
    const { deliveries } = (await workspace.owner.get('/deliveries')).body
    expect(deliveries[0].attempts).not.toEqual([])
  }, waitOptions)
  await waitForAuditChain(workspace)
  return taskId
}
