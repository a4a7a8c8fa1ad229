import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { pauseOverdueRules } from '../../src/server/domain/rules/pause-rule.ts'
import { startReceiver } from '../support/receiver.ts'
import {
  createRule,
  inDays,
  insertAgreement,
  readRule,
  refundActions,
  sendRefund,
  sendUntilDecided,
  waitForRule,
  workspaceWithHistory,
} from '../support/refunds.ts'
import { asOwner, moveClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

let service: TestService
let channel: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  channel = await startReceiver()
  service = await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.1/32' })
})
afterAll(async () => {
  await service.stop()
  await channel.stop()
})

const disagree = async ({ owner, agent }: TestWorkspace, more: object = {}) => {
  const { taskId } = await sendRefund(agent, more)
  const answer = { actionId: 'decline', data: { why: 'No.' } }
  expect((await owner.post(`/tasks/${taskId}/handle`, answer)).status).toBe(200)
  return taskId
}
const agree = async ({ owner, agent }: TestWorkspace, more: object = {}) => {
  const { taskId } = await sendRefund(agent, more)
  expect((await owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })).status).toBe(200)
  return taskId
}

// Concurrent, because these tests mostly wait for the next sweep.
describe.concurrent('a rule watches itself', () => {
  test('people who agree leave it active; two early disagreements pause it, and admins are told which', async () => {
    const workspace = await workspaceWithHistory(service)
    await workspace.owner.put('/notifications/chat', { url: `${channel.url}/paused`, for: 'all' })
    const { ruleId } = await createRule(workspace.owner, { sample: 1 })
    await agree(workspace)
    const free = await sendRefund(workspace.agent)
    await workspace.owner.post(`/tasks/${free.taskId}/handle`, { actionId: 'approve', data: {} })
    await waitForRule(workspace.owner, ruleId, {
      state: 'active',
      samples: { answered: 2, agreed: 2, open: 0 },
    })
    const tasks = [await disagree(workspace), await disagree(workspace)]
    const rule = await waitForRule(workspace.owner, ruleId, {
      state: 'paused',
      pausedBecause: 'disagreement',
      samples: { answered: 4, agreed: 2 },
    })
    expect(rule.evidence.life).toBeGreaterThanOrEqual(20)
    expect(rule.judged.map(({ agrees }: { agrees: boolean }) => agrees)).toEqual([true, true, false, false])
    expect(rule.disagreements).toMatchObject([
      {
        taskId: tasks[1],
        outcome: 'answered',
        actionTitle: 'Decline',
        data: { why: 'No.' },
        context: { amount: 10 },
      },
      { taskId: tasks[0] },
    ])
    expect(rule.history).toMatchObject([
      { action: 'rule.paused', details: { because: 'disagreement', taskIds: [tasks[1], tasks[0]] } },
      { action: 'rule.created', by: workspace.ownerEmail },
    ])
    expect(JSON.stringify(rule.history)).not.toContain('"amount"')
    const toPaused = () => channel.received.filter(({ path }) => path === '/paused').map(({ body }) => body)
    const message = await vi.waitUntil(
      () => toPaused().find((body) => body.includes('Rule paused')),
      waitOptions,
    )
    expect(message).toContain(ruleId)
    expect(message).toContain(tasks[0])
    // Paused: everything goes to people, and nothing is a sample.
    expect((await sendRefund(workspace.agent)).status).toBe('open')
    expect(await readRule(workspace.owner, ruleId)).toMatchObject({ samples: { open: 0 } })
  })

  test('a new version is answered only after 59 answers in a row agree', async () => {
    const workspace = await workspaceWithHistory(service)
    await insertAgreement(service, workspace, { version: '2' }, 57)
    const { ruleId } = await createRule(workspace.owner)
    const versions = (...newVersions: object[]) =>
      waitForRule(workspace.owner, ruleId, { newVersions: [...newVersions, { version: '1' }] })
    const version = '2'
    await agree(workspace, { version })
    const { newVersions } = await versions({ version, agreedInRow: 58 })
    expect(newVersions[0]).not.toHaveProperty('passedAt')
    // A disagreement starts the count again.
    const another = '3'
    for (let n = 0; n < 2; n++) await agree(workspace, { version: another })
    await versions({ version: another, agreedInRow: 2 }, { version })
    await disagree(workspace, { version: another })
    await versions({ version: another, agreedInRow: 0 }, { version })
    await agree(workspace, { version: another })
    await versions({ version: another, agreedInRow: 1 }, { version, agreedInRow: 58 })

    await agree(workspace, { version })
    const rule = await versions(
      { version: another },
      { version, agreedInRow: 59, passedAt: expect.any(String) },
    )
    expect(rule).toMatchObject({ state: 'active', samples: { answered: 0 } })
    expect((await sendUntilDecided(workspace, { version })).handled.ruleId).toBe(ruleId)
  })

  test('answers that a person gives at once count once', async () => {
    const workspace = await workspaceWithHistory(service)
    const { ruleId } = await createRule(workspace.owner)
    const answerAtOnce = async (person: Pick<TestWorkspace['owner'], 'post'>, bulkId: string) => {
      const ids: string[] = []
      for (let n = 0; n < 4; n++) ids.push((await sendRefund(workspace.agent, { version: '2' })).taskId)
      for (const id of ids) await person.post(`/tasks/${id}/handle`, { actionId: 'approve', bulkId })
    }
    await answerAtOnce(workspace.owner, 'one')
    await answerAtOnce(workspace.owner, 'two')
    // Clients choose the ids, so another person may use the same one.
    await answerAtOnce(await workspace.person(), 'one')
    const open = () =>
      query(service.databaseUrl, 'SELECT FROM rule_samples WHERE rule_id = $1 AND judged_at IS NULL', [
        ruleId,
      ])
    await vi.waitFor(async () => expect(await open()).toEqual([]), waitOptions)
    expect(await readRule(workspace.owner, ruleId)).toMatchObject({
      newVersions: [{ version: '2', agreedInRow: 3 }, { version: '1' }],
    })
    // The same for answers from before the rule.
    const { newVersions } = await createRule(workspace.owner, { name: 'Later' })
    expect(newVersions).toMatchObject([
      { version: '2', agreedInRow: 3 },
      { version: '1', agreedInRow: 60 },
    ])
  })

  test('answers that a person gives at once count for each rule', async () => {
    const workspace = await workspaceWithHistory(service)
    const small = await createRule(workspace.owner, { sample: 1 })
    const when = [{ field: 'amount', is: 'atMost', value: 500 }]
    const large = await createRule(workspace.owner, { name: 'Large refunds', sample: 1, when })
    for (const amount of [10, 100]) {
      const { taskId } = await sendRefund(workspace.agent, {}, { amount })
      const answer = { actionId: 'approve', bulkId: 'both' }
      expect((await workspace.owner.post(`/tasks/${taskId}/handle`, answer)).status).toBe(200)
    }
    for (const { ruleId } of [small, large])
      await waitForRule(workspace.owner, ruleId, { samples: { answered: 1, agreed: 1, open: 0 } })
  })

  test('answers to tasks from before an edit do not pass a version', async () => {
    const workspace = await workspaceWithHistory(service)
    const version = '2'
    await insertAgreement(service, workspace, { version }, 56)
    const { ruleId } = await createRule(workspace.owner)
    const before: string[] = []
    for (let n = 0; n < 3; n++) before.push((await sendRefund(workspace.agent, { version })).taskId)
    await workspace.owner.patch(`/rules/${ruleId}`, { when: [{ field: 'amount', is: 'atMost', value: 500 }] })
    for (const taskId of before)
      await workspace.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
    const open = () =>
      query(service.databaseUrl, 'SELECT FROM rule_samples WHERE rule_id = $1 AND judged_at IS NULL', [
        ruleId,
      ])
    await vi.waitFor(async () => expect(await open()).toEqual([]), waitOptions)
    await agree(workspace, { version })
    const rule = await waitForRule(workspace.owner, ruleId, {
      newVersions: [{ version, agreedInRow: 57 }, {}],
    })
    expect(rule.newVersions[0].passedAt).toBeUndefined()
    expect((await sendRefund(workspace.agent, { version })).status).toBe('open')
  })

  test('it rests while ten samples are open, and goes on when they are answered', async () => {
    const workspace = await workspaceWithHistory(service)
    const { ruleId } = await createRule(workspace.owner, { sample: 1 })
    const open: string[] = []
    for (let n = 0; n < 10; n++) open.push((await sendRefund(workspace.agent)).taskId)
    await workspace.owner.patch(`/rules/${ruleId}`, { sample: 0.05 })
    expect(await readRule(workspace.owner, ruleId)).toMatchObject({ resting: true, samples: { open: 10 } })
    for (let n = 0; n < 5; n++) expect((await sendRefund(workspace.agent)).status).toBe('open')
    expect(await readRule(workspace.owner, ruleId)).toMatchObject({ samples: { open: 10 } })
    for (const taskId of open) await workspace.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
    // They were drawn before the edit, so they say nothing about the rule of now.
    await waitForRule(workspace.owner, ruleId, { resting: false, samples: { open: 0, answered: 0 } })
    await sendUntilDecided(workspace)
  })
})

describe('a rule watches itself as time passes', () => {
  test('a sample that is cancelled, revised or expires counts as a disagreement', async () => {
    const samples = await Promise.all(
      ['cancelled', 'revised', 'expired'].map(async (outcome) => {
        const workspace = await workspaceWithHistory(service)
        const { ruleId } = await createRule(workspace.owner, { sample: 1, allowedDisagreement: 0.2 })
        const { taskId } = await sendRefund(workspace.agent, {
          expiresInSeconds: 3_600,
          onExpire: { actionId: 'approve' },
        })
        return { outcome, workspace, ruleId, taskId }
      }),
    )
    const [cancelled, revised] = samples as [(typeof samples)[0], (typeof samples)[0]]
    await cancelled.workspace.agent.post(`/tasks/${cancelled.taskId}/cancel`, {})
    const revision = { task: { name: 'Refund €10, please?' } }
    const { agent, owner } = revised.workspace
    const sent = await agent.post(`/tasks/${revised.taskId}/updates`, { message: 'Clearer.', revision })
    expect(sent.status, JSON.stringify(sent.body)).toBe(201)
    await owner.post(`/tasks/${revised.taskId}/handle`, { actionId: 'approve', revision: 2 })
    await moveClock(service.databaseUrl, '61 minutes')
    for (const { outcome, workspace, ruleId, taskId } of samples) {
      await waitForRule(workspace.owner, ruleId, { samples: { answered: 1, agreed: 0 } })
      const { disagreements } = await readRule(workspace.owner, ruleId)
      expect(disagreements, outcome).toMatchObject([{ taskId, outcome }])
    }
  })

  test('it rests while one sample is older than a day', async () => {
    const workspace = await workspaceWithHistory(service)
    const { ruleId } = await createRule(workspace.owner, { sample: 1 })
    const { taskId } = await sendRefund(workspace.agent)
    await workspace.owner.patch(`/rules/${ruleId}`, { sample: 0.05 })
    await sendUntilDecided(workspace)
    await moveClock(service.databaseUrl, '25 hours')
    for (let n = 0; n < 5; n++) expect((await sendRefund(workspace.agent)).status).toBe('open')
    expect(await readRule(workspace.owner, ruleId)).toMatchObject({ resting: true })
    const open = await query<{ taskId: string }>(
      service.databaseUrl,
      'SELECT task_id AS "taskId" FROM rule_samples WHERE rule_id = $1 AND judged_at IS NULL',
      [ruleId],
    )
    expect(open).toContainEqual({ taskId })
    for (const sample of open)
      await workspace.owner.post(`/tasks/${sample.taskId}/handle`, { actionId: 'approve' })
    await waitForRule(workspace.owner, ruleId, { resting: false })
    await sendUntilDecided(workspace)
  })

  test('it pauses when its time is over, unless it is extended just then, and when agents send a form that its answer does not fit', async () => {
    const workspace = await workspaceWithHistory(service)
    const soon = await createRule(workspace.owner, { until: inDays(20) })
    const extended = await createRule(workspace.owner, { until: inDays(20) })
    await asOwner(service.databaseUrl, async (client) => {
      await client.query('BEGIN')
      const extend = `UPDATE rules SET until = until + interval '60 days' WHERE id = $1`
      await client.query(extend, [extended.ruleId])
      await moveClock(service.databaseUrl, '21 days')
      const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ~ 'from "rules".*for no key update'`
      await vi.waitFor(
        async () => expect(await query(service.databaseUrl, waiting)).not.toEqual([]),
        waitOptions,
      )
      await client.query('COMMIT')
    })
    await pauseOverdueRules(service.app.service)
    expect(await readRule(workspace.owner, extended.ruleId)).toMatchObject({ state: 'active' })
    await waitForRule(workspace.owner, soon.ruleId, { state: 'paused', pausedBecause: 'untilReached' })
    const other = await workspaceWithHistory(service)
    const { ruleId } = await createRule(other.owner, { until: inDays(89) })
    const form = { type: 'object', required: ['amount'], properties: { amount: { type: 'number' } } }
    const actions = [{ id: 'approve', title: 'Approve', schema: form }, refundActions[1]]
    await sendRefund(other.agent, { actions }, { amount: 41 })
    expect(await readRule(other.owner, ruleId)).toMatchObject({ state: 'active' })
    expect((await sendRefund(other.agent, { actions })).status).toBe('open')
    expect(await readRule(other.owner, ruleId)).toMatchObject({
      state: 'paused',
      pausedBecause: 'formChanged',
    })
  })
})
