import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startReceiver } from '../support/receiver.ts'
import {
  createRule,
  inDays,
  refundActions,
  refunds,
  refundTask,
  sendRefund,
  sendUntilDecided,
  waitForRule,
  workspaceWithHistory,
} from '../support/refunds.ts'
import { startService, type TestService, type TestWorkspace } from '../support/service.ts'
import { query } from '../support/sql.ts'

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

describe('a task that matches a rule', () => {
  let acme: TestWorkspace
  let ruleId: string
  beforeAll(async () => {
    acme = await workspaceWithHistory(service)
    const rule = await createRule(acme.owner)
    ruleId = rule.ruleId
    expect(rule).toMatchObject({
      state: 'active',
      newVersions: [{ version: '1', agreedInRow: 60, passedAt: expect.any(String) }],
    })
  })

  test('is handled when it is created, with both events in order, its delivery and an audit entry', async () => {
    const url = `${channel.url}/decided`
    const record = await sendUntilDecided(acme, { callbackUrl: url, metadata: { ticket: 1 } })
    expect(record.handled).toEqual({
      actionId: 'approve',
      actionTitle: 'Approve',
      data: {},
      handledBy: 'service:rule',
      handledAt: record.createdAt,
      decidedBy: 'rule',
      ruleId,
      via: 'rule',
      revision: 1,
    })
    const events = await query<{ type: string; body: object }>(
      service.databaseUrl,
      'SELECT type, body FROM events WHERE task_id = $1 ORDER BY epoch, xid, id',
      [record.taskId],
    )
    expect(events.map(({ type }) => type)).toEqual(['service/task_created', 'service/task_handled'])
    expect(events[1]!.body).toMatchObject({ decidedBy: 'rule', ruleId, handledAt: record.createdAt })
    await expect
      .poll(() => channel.received.filter(({ body }) => body.includes(record.taskId)))
      .toHaveLength(1)
    const received = channel.received.find(({ body }) => body.includes(record.taskId))!
    expect(JSON.parse(received.body)).toMatchObject({
      type: 'service/task_handled',
      decidedBy: 'rule',
      ruleId,
      metadata: { ticket: 1 },
    })
    const { entries } = (await acme.owner.get(`/audit?subject=${record.taskId}`)).body
    expect(entries).toMatchObject([
      {
        actor: 'service',
        action: 'task.handled',
        details: {
          actionId: 'approve',
          ruleId,
          contextSha256: expect.any(String),
          actionsSha256: expect.any(String),
        },
      },
    ])
    expect(JSON.stringify(entries)).not.toContain('amount')
  })

  test('leaves no thread, no notice and no row in the inbox', async () => {
    await acme.owner.put('/notifications/chat', { url: `${channel.url}/chat`, for: 'all' })
    const { taskId, threadId } = await sendUntilDecided(acme)
    const rows = await query(
      service.databaseUrl,
      `SELECT 'thread' AS kind FROM threads WHERE id = $1
       UNION ALL SELECT kind FROM deliveries WHERE task_id = $2`,
      [threadId, taskId],
    )
    expect(rows).toEqual([])
    const inbox = JSON.stringify((await acme.owner.get('/inbox')).body)
    expect(inbox).not.toContain(taskId)
    await acme.owner.delete('/notifications/chat')
  })

  test('goes to people if a condition fails, its version is new, it has other actions or a person is required', async () => {
    const others: [string, object, object][] = [
      ['condition', {}, { amount: 41 }],
      ['text instead of a number', {}, { amount: '10' }],
      ['new version', { version: '2' }, {}],
      ['no version', { version: undefined }, {}],
      ['other type', { type: 'refund-2' }, {}],
      ['other app', { app: 'books' }, {}],
      ['more actions', { actions: [...refundActions, { id: 'later', title: 'Later' }] }, {}],
      ['another title', { actions: [{ id: 'approve', title: 'Approve all' }, refundActions[1]] }, {}],
      ['requireHuman', { requireHuman: true }, {}],
    ]
    for (const [why, more, data] of others)
      for (let n = 0; n < 2; n++) expect((await sendRefund(acme.agent, more, data)).status, why).toBe('open')
    expect((await sendUntilDecided(acme)).handled.ruleId).toBe(ruleId)
  })

  test('goes to people if its review, or the policy, names people or needs several', async () => {
    const workspace = await workspaceWithHistory(service)
    const ana = await workspace.person()
    const bob = await workspace.person()
    await createRule(workspace.owner)
    await sendUntilDecided(workspace)
    const reviews = [{ by: [ana.email] }, { notBy: [ana.email] }, { needed: 2 }]
    for (const review of reviews)
      for (let n = 0; n < 2; n++)
        expect((await sendRefund(workspace.agent, { review })).status, JSON.stringify(review)).toBe('open')
    for (const settings of [{ needed: 2 }, { by: [bob.email] }, { requesterMayAnswer: false }]) {
      const policy = await workspace.owner.post('/policies', { ...refunds, ...settings })
      expect(policy.status, JSON.stringify(policy.body)).toBe(201)
      for (let n = 0; n < 2; n++)
        expect((await sendRefund(workspace.agent)).status, JSON.stringify(settings)).toBe('open')
      await workspace.owner.delete(`/policies/${policy.body.policyId}`)
    }
    await sendUntilDecided(workspace)
  })

  test('gets the same draw whenever it is sent on one day, also after it was cancelled', async () => {
    const workspace = await workspaceWithHistory(service)
    const { ruleId } = await createRule(workspace.owner, { sample: 0.3 })
    const draws: string[] = []
    let hasCancelled = false
    while (draws.length < 6 || new Set(draws).size < 2) {
      const task = refundTask()
      const again = { ...task, task: { name: 'Another name', description: 'Another text.' } }
      const seen: string[] = []
      for (const body of [task, again, task]) {
        const { taskId } = (await workspace.agent.post('/tasks', body)).body
        const { status } = (await workspace.agent.get(`/tasks/${taskId}`)).body
        seen.push(status)
        if (status !== 'open') continue
        // Only once: further disagreements would pause the rule.
        if (hasCancelled) await workspace.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
        else await workspace.agent.post(`/tasks/${taskId}/cancel`, {})
        hasCancelled = true
      }
      expect(new Set(seen).size, seen.join()).toBe(1)
      draws.push(seen[0]!)
      // With ten open samples the rule would wait.
      await waitForRule(workspace.owner, ruleId, { state: 'active', samples: { open: 0 } })
    }
  })

  test('is answered by the oldest matching rule, in batches and with an idempotency key too', async () => {
    await createRule(acme.owner, { name: 'A newer rule' })
    const tasks = Array.from({ length: 10 }, (_, n) => refundTask({ idempotencyKey: `batch-${n}` }))
    const { body } = await acme.agent.post('/tasks/batch', { tasks })
    const ids = body.results.map(({ task }: { task: { taskId: string } }) => task.taskId)
    const records = await Promise.all(
      ids.map(async (id: string) => (await acme.agent.get(`/tasks/${id}`)).body),
    )
    const decided = records.filter(({ status }) => status === 'handled')
    expect(decided.length).toBeGreaterThan(3)
    for (const { handled } of decided) expect(handled.ruleId).toBe(ruleId)
    const again = await acme.agent.post('/tasks/batch', { tasks })
    expect(again.body.results.map(({ task }: { task: { taskId: string } }) => task.taskId)).toEqual(ids)
  })

  test('keeps what its form starts with', async () => {
    const actions = [
      {
        id: 'approve',
        title: 'Send',
        schema: {
          type: 'object',
          properties: {
            reply: { type: 'string' },
            tone: { type: 'string', enum: ['short', 'long'], default: 'short' },
            copies: { type: 'integer' },
          },
          required: ['reply', 'copies'],
        },
        ui: { reply: { 'ui:options': { prefill: 'draft' } } },
      },
    ]
    const data = { reply: 'Hello', tone: 'short', copies: 2 }
    const workspace = await workspaceWithHistory(service, {
      actions,
      data,
      context: { data: { amount: 1, draft: 'Hello' } },
    })
    const missing = await workspace.owner.post('/rules', {
      name: 'Without copies',
      ...refunds,
      answer: { actionId: 'approve' },
      until: inDays(1),
    })
    expect(missing.status).toBe(400)
    expect(missing.body.errors).toMatchObject([{ path: 'answer.data.copies' }])
    await createRule(workspace.owner, { answer: { actionId: 'approve', data: { copies: 2 } } })
    const record = await sendUntilDecided(workspace, { actions }, { draft: 'Dear Ana' })
    expect(record.handled.data).toEqual({ reply: 'Dear Ana', tone: 'short', copies: 2 })
    // A prefilled value that does not fit the form is for a person to correct.
    for (let n = 0; n < 2; n++)
      expect((await sendRefund(workspace.agent, { actions }, { draft: 12 })).status).toBe('open')
  })
})

describe('of several rules, the oldest that matches counts', () => {
  const guard = { name: 'Flagged', when: [{ field: 'flagged', is: 'equals', value: true }], sample: 0.05 }
  const declineAll = { ...guard, answer: { actionId: 'decline', data: {} } }

  test('while it is paused its tasks go to people, not to a younger rule', async () => {
    const workspace = await workspaceWithHistory(service)
    const older = await createRule(workspace.owner, declineAll)
    await createRule(workspace.owner)
    await sendUntilDecided(workspace)
    // A form without the answer of the older rule pauses it, and names the task.
    const odd = await sendRefund(workspace.agent, { actions: [refundActions[0]] }, { flagged: true })
    expect(odd.status).toBe('open')
    const { history } = await waitForRule(workspace.owner, older.ruleId, { pausedBecause: 'formChanged' })
    expect(history[0].details).toEqual({ because: 'formChanged', taskIds: [odd.taskId] })
    for (let n = 0; n < 2; n++)
      expect((await sendRefund(workspace.agent, {}, { flagged: true })).status).toBe('open')
    await sendUntilDecided(workspace)
  })

  test('if its answer does not fit what the task prefills, a person answers', async () => {
    const form = {
      type: 'object',
      properties: { reply: { type: 'string', maxLength: 10 } },
      required: ['reply'],
    }
    const reply = {
      id: 'reply',
      title: 'Reply',
      schema: form,
      ui: { reply: { 'ui:options': { prefill: 'draft' } } },
    }
    const actions = [...refundActions, reply]
    const workspace = await workspaceWithHistory(service, { actions })
    await sendRefund(workspace.agent, { actions }, { draft: 'Hello', flagged: true })
    await createRule(workspace.owner, { ...guard, answer: { actionId: 'reply' } })
    await createRule(workspace.owner)
    await sendUntilDecided(workspace, { actions })
    for (let n = 0; n < 2; n++) {
      const long = { flagged: true, draft: 'much longer than ten characters' }
      expect((await sendRefund(workspace.agent, { actions }, long)).status).toBe('open')
    }
  })

  test('a field with dots in its name never stands in for a nested one', async () => {
    const workspace = await workspaceWithHistory(service, { context: { data: { refund: { amount: 10 } } } })
    await createRule(workspace.owner, { when: [{ field: 'refund.amount', is: 'atMost', value: 40 }] })
    await sendUntilDecided(workspace, {}, { refund: { amount: 10 } })
    await sendUntilDecided(workspace, {}, { 'refund.amount': 10 })
    const both = { refund: { amount: 5_000 }, 'refund.amount': 10 }
    for (let n = 0; n < 2; n++) expect((await sendRefund(workspace.agent, {}, both)).status).toBe('open')
  })
})
