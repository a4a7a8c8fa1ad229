import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertHandled } from '../support/handled-tasks.ts'
import {
  createRule,
  inDays,
  readRule,
  refundActions,
  refunds,
  sendRefund,
  sendUntilDecided,
  waitForRule,
  workspaceWithHistory,
} from '../support/refunds.ts'
import { startService, type TestService } from '../support/service.ts'
import { query } from '../support/sql.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

describe('an admin', () => {
  test('pauses, resumes, edits and ends a rule; resuming resets the evidence, renaming and extending do not', async () => {
    const workspace = await workspaceWithHistory(service)
    const { ruleId } = await createRule(workspace.owner, { sample: 1 })
    const change = (body: object) => workspace.owner.patch(`/rules/${ruleId}`, body)
    const answer = async (actionId: string) => {
      const { taskId } = await sendRefund(workspace.agent)
      await workspace.owner.post(`/tasks/${taskId}/handle`, { actionId })
    }
    await answer('decline')
    await waitForRule(workspace.owner, ruleId, { samples: { answered: 1, agreed: 0 } })
    expect((await change({ name: 'Renamed', until: inDays(40) })).body).toMatchObject({
      name: 'Renamed',
      samples: { answered: 1 },
    })
    expect((await change({ state: 'paused' })).body).toMatchObject({
      state: 'paused',
      pausedBecause: 'person',
      pausedBy: workspace.ownerEmail,
    })
    expect((await change({ state: 'active' })).body).toMatchObject({
      state: 'active',
      samples: { answered: 0 },
      evidence: { life: 1, recent: 0 },
    })
    const edited = await change({ when: [{ field: 'amount', is: 'atMost', value: 5 }], sample: 0.05 })
    expect(edited.body).toMatchObject({ newVersions: [] })
    expect((await sendRefund(workspace.agent)).status).toBe('open')
    expect((await change({ until: inDays(91) })).status).toBe(400)
    expect((await change({ answer: { actionId: 'no-such' } })).body.errors).toMatchObject([
      { path: 'answer.actionId' },
    ])
    expect((await change({ state: 'ended' })).body).toMatchObject({ state: 'ended' })
    expect((await change({ state: 'active' })).status).toBe(409)
    const { history } = await readRule(workspace.owner, ruleId)
    expect(history.map(({ action }: { action: string }) => action).toReversed()).toEqual(
      ['created', 'changed', 'paused', 'resumed', 'changed', 'ended'].map((what) => `rule.${what}`),
    )
  })

  test('pauses all rules at once; tasks that are sent afterwards go to people', async () => {
    const workspace = await workspaceWithHistory(service)
    const rules = [await createRule(workspace.owner), await createRule(workspace.owner, { when: [] })]
    await sendUntilDecided(workspace)
    expect((await workspace.owner.post('/rules/pause-all', {})).body).toEqual({ paused: 2 })
    for (let n = 0; n < 5; n++) expect((await sendRefund(workspace.agent)).status).toBe('open')
    for (const { ruleId } of rules)
      expect(await readRule(workspace.owner, ruleId)).toMatchObject({
        state: 'paused',
        pausedBecause: 'person',
      })
    expect((await workspace.owner.post('/rules/pause-all', {})).body).toEqual({ paused: 0 })
  })

  test('may have at most 100 rules, and members may only look', async () => {
    const workspace = await workspaceWithHistory(service)
    const mara = await workspace.person('member')
    const { ruleId } = await createRule(workspace.owner)
    expect((await mara.get('/rules')).body.rules).toMatchObject([{ ruleId }])
    expect((await mara.patch(`/rules/${ruleId}`, { state: 'paused' })).status).toBe(403)
    await query(
      service.databaseUrl,
      `INSERT INTO rules (id, workspace_id, name, app, type, conditions, action, actions_digest, sample, until, allowed_disagreement, evidence, created_by)
       SELECT 'rul_' || n, workspace_id, name, app, type, conditions, action, actions_digest, sample, until, allowed_disagreement, evidence, created_by
       FROM rules, generate_series(2, 100) n WHERE id = $1`,
      [ruleId],
    )
    const one = { name: 'One more', ...refunds, answer: { actionId: 'approve' }, until: inDays(1) }
    expect((await workspace.owner.post('/rules', one)).status).toBe(409)
  })

  test.each([
    ['a reserved action', { answer: { actionId: 'service:mark-done' } }],
    ['data for an action without a form', { answer: { actionId: 'approve', data: { note: 'x' } } }],
    ['six conditions', { when: Array.from({ length: 6 }, () => ({ field: 'a', is: 'present' })) }],
    ['a condition without a value', { when: [{ field: 'a', is: 'equals' }] }],
    ['a threshold that is a text', { when: [{ field: 'a', is: 'atMost', value: '40' }] }],
    ['a sample of nothing', { sample: 0 }],
    ['a past end', { until: inDays(-1) }],
    ['an end too far ahead', { until: inDays(91) }],
    ['no allowed disagreement', { allowedDisagreement: 0 }],
  ])('cannot create a rule with %s', async (_, more) => {
    const workspace = await workspaceWithHistory(service)
    const input = { name: 'R', ...refunds, answer: { actionId: 'approve' }, until: inDays(1), ...more }
    expect((await workspace.owner.post('/rules', input)).status).toBe(400)
  })

  test('starts with no version if people have not agreed often enough', async () => {
    const workspace = await service.workspace()
    const task = { ...refunds, actions: refundActions, version: '1', context: { data: { amount: 10 } } }
    const answers = Array.from({ length: 60 }, (_, n) => ({
      ...task,
      actionId: n === 30 ? 'decline' : 'approve',
    }))
    await insertHandled(service.databaseUrl, workspace.workspaceId, answers)
    const rule = await createRule(workspace.owner)
    expect(rule.newVersions).toMatchObject([{ version: '1' }])
    expect(rule.newVersions[0].passedAt).toBeUndefined()
    for (let n = 0; n < 5; n++) expect((await sendRefund(workspace.agent)).status).toBe('open')
  })
})
