import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertHandled } from '../support/handled-tasks.ts'
import { startReceiver } from '../support/receiver.ts'
import {
  createRule,
  inDays,
  insertAgreement,
  readRule,
  refundActions,
  refunds,
  refundTask,
  sendRefund,
  waitForRule,
} from '../support/refunds.ts'
import { moveClock } from '../support/rows.ts'
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

async function workspaceWithHistory(
  more: Parameters<typeof insertAgreement>[2] = {},
): Promise<TestWorkspace> {
  const workspace = await service.workspace()
  await insertAgreement(service, workspace, more)
  return workspace
}

/** Sends different tasks until the rule has decided one. */
async function sendUntilDecided(workspace: TestWorkspace, more: object = {}, data: object = {}) {
  for (let attempt = 0; attempt < 20; attempt++) {
    const record = await sendRefund(workspace.agent, more, data)
    if (record.status === 'handled') return record
  }
  throw new Error('The rule decided none of 20 tasks.')
}

describe('a task that matches a rule', () => {
  let acme: TestWorkspace
  let ruleId: string
  beforeAll(async () => {
    acme = await workspaceWithHistory()
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
      for (let n = 0; n < 4; n++) expect((await sendRefund(acme.agent, more, data)).status, why).toBe('open')
    expect((await sendUntilDecided(acme)).handled.ruleId).toBe(ruleId)
  })

  test('goes to people if its review, or the policy, names people or needs several', async () => {
    const workspace = await workspaceWithHistory()
    const ana = await workspace.person()
    const bob = await workspace.person()
    await createRule(workspace.owner)
    await sendUntilDecided(workspace)
    const reviews = [{ by: [ana.email] }, { notBy: [ana.email] }, { needed: 2 }]
    for (const review of reviews)
      for (let n = 0; n < 4; n++)
        expect((await sendRefund(workspace.agent, { review })).status, JSON.stringify(review)).toBe('open')
    for (const settings of [{ needed: 2 }, { by: [bob.email] }, { requesterMayAnswer: false }]) {
      const policy = await workspace.owner.post('/policies', { ...refunds, ...settings })
      expect(policy.status, JSON.stringify(policy.body)).toBe(201)
      for (let n = 0; n < 4; n++)
        expect((await sendRefund(workspace.agent)).status, JSON.stringify(settings)).toBe('open')
      await workspace.owner.delete(`/policies/${policy.body.policyId}`)
    }
    await sendUntilDecided(workspace)
  })

  test('gets the same draw whenever it is sent on one day, also after it was cancelled', async () => {
    const workspace = await workspaceWithHistory()
    const { ruleId } = await createRule(workspace.owner, { sample: 0.3 })
    const draws: string[] = []
    let hasCancelled = false
    while (draws.length < 10 || new Set(draws).size < 2) {
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
    const workspace = await workspaceWithHistory({
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
    for (let n = 0; n < 4; n++)
      expect((await sendRefund(workspace.agent, { actions }, { draft: 12 })).status).toBe('open')
  })
})

describe('of several rules, the oldest that matches counts', () => {
  const guard = { name: 'Flagged', when: [{ field: 'flagged', is: 'equals', value: true }], sample: 0.05 }
  const declineAll = { ...guard, answer: { actionId: 'decline', data: {} } }

  test('while it is paused its tasks go to people, not to a younger rule', async () => {
    const workspace = await workspaceWithHistory()
    const older = await createRule(workspace.owner, declineAll)
    await createRule(workspace.owner)
    await sendUntilDecided(workspace)
    // A form without the answer of the older rule pauses it, and names the task.
    const odd = await sendRefund(workspace.agent, { actions: [refundActions[0]] }, { flagged: true })
    expect(odd.status).toBe('open')
    const { history } = await waitForRule(workspace.owner, older.ruleId, { pausedBecause: 'formChanged' })
    expect(history[0].details).toEqual({ because: 'formChanged', taskIds: [odd.taskId] })
    for (let n = 0; n < 5; n++)
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
    const workspace = await workspaceWithHistory({ actions })
    await sendRefund(workspace.agent, { actions }, { draft: 'Hello', flagged: true })
    await createRule(workspace.owner, { ...guard, answer: { actionId: 'reply' } })
    await createRule(workspace.owner)
    await sendUntilDecided(workspace, { actions })
    for (let n = 0; n < 5; n++) {
      const long = { flagged: true, draft: 'much longer than ten characters' }
      expect((await sendRefund(workspace.agent, { actions }, long)).status).toBe('open')
    }
  })

  test('a field with dots in its name never stands in for a nested one', async () => {
    const workspace = await workspaceWithHistory({ context: { data: { refund: { amount: 10 } } } })
    await createRule(workspace.owner, { when: [{ field: 'refund.amount', is: 'atMost', value: 40 }] })
    await sendUntilDecided(workspace, {}, { refund: { amount: 10 } })
    await sendUntilDecided(workspace, {}, { 'refund.amount': 10 })
    const both = { refund: { amount: 5_000 }, 'refund.amount': 10 }
    for (let n = 0; n < 5; n++) expect((await sendRefund(workspace.agent, {}, both)).status).toBe('open')
  })
})

describe('a rule watches itself', () => {
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

  test('people who agree leave it active; two early disagreements pause it, and admins are told which', async () => {
    const workspace = await workspaceWithHistory()
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
      { action: 'rule.created', by: 'Olga Owner' },
    ])
    expect(JSON.stringify(rule.history)).not.toContain('"amount"')
    const toPaused = () => channel.received.filter(({ path }) => path === '/paused').map(({ body }) => body)
    await expect.poll(() => toPaused().find((body) => body.includes('Rule paused'))).toContain(ruleId)
    expect(toPaused().find((body) => body.includes('Rule paused'))).toContain(tasks[0])
    // Paused: everything goes to people, and nothing is a sample.
    expect((await sendRefund(workspace.agent)).status).toBe('open')
    expect(await readRule(workspace.owner, ruleId)).toMatchObject({ samples: { open: 0 } })
  })

  test('a sample that is cancelled, revised or expires counts as a disagreement', async () => {
    for (const [outcome, end] of Object.entries({
      async cancelled(workspace: TestWorkspace, taskId: string) {
        await workspace.agent.post(`/tasks/${taskId}/cancel`, {})
      },
      async revised(workspace: TestWorkspace, taskId: string) {
        const revision = { task: { name: 'Refund €10, please?' } }
        const sent = await workspace.agent.post(`/tasks/${taskId}/updates`, { message: 'Clearer.', revision })
        expect(sent.status, JSON.stringify(sent.body)).toBe(201)
        await workspace.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve', revision: 2 })
      },
      async expired() {
        await moveClock(service.databaseUrl, '2 minutes')
      },
    })) {
      const workspace = await workspaceWithHistory()
      const { ruleId } = await createRule(workspace.owner, { sample: 1, allowedDisagreement: 0.2 })
      const { taskId } = await sendRefund(workspace.agent, {
        expiresInSeconds: 60,
        onExpire: { actionId: 'approve' },
      })
      await end(workspace, taskId)
      await waitForRule(workspace.owner, ruleId, { samples: { answered: 1, agreed: 0 } })
      const { disagreements } = await readRule(workspace.owner, ruleId)
      expect(disagreements, outcome).toMatchObject([{ taskId, outcome }])
    }
  })

  test('a new version is answered only after 59 answers in a row agree', async () => {
    const workspace = await workspaceWithHistory()
    const { ruleId } = await createRule(workspace.owner)
    const version = '2'
    for (let n = 0; n < 3; n++) await agree(workspace, { version })
    await waitForRule(workspace.owner, ruleId, {
      newVersions: [{ version, agreedInRow: 3 }, { version: '1' }],
    })
    await disagree(workspace, { version })
    await waitForRule(workspace.owner, ruleId, {
      newVersions: [{ version, agreedInRow: 0 }, { version: '1' }],
    })
    for (let n = 0; n < 58; n++) await agree(workspace, { version })
    await waitForRule(workspace.owner, ruleId, {
      newVersions: [{ version, agreedInRow: 58 }, { version: '1' }],
    })
    await agree(workspace, { version })
    await waitForRule(workspace.owner, ruleId, {
      state: 'active',
      samples: { answered: 0 },
      newVersions: [{ version, agreedInRow: 59, passedAt: expect.any(String) }, { version: '1' }],
    })
    expect((await sendUntilDecided(workspace, { version })).handled.ruleId).toBe(ruleId)
  })

  test('answers that a person gives at once count once', async () => {
    const workspace = await workspaceWithHistory()
    const { ruleId } = await createRule(workspace.owner)
    const answerAtOnce = async (bulkId: string) => {
      const ids: string[] = []
      for (let n = 0; n < 8; n++) ids.push((await sendRefund(workspace.agent, { version: '2' })).taskId)
      for (const id of ids) await workspace.owner.post(`/tasks/${id}/handle`, { actionId: 'approve', bulkId })
    }
    await answerAtOnce('one')
    await answerAtOnce('two')
    const open = () =>
      query(service.databaseUrl, 'SELECT FROM rule_samples WHERE rule_id = $1 AND judged_at IS NULL', [
        ruleId,
      ])
    await expect.poll(open, waitOptions).toEqual([])
    expect(await readRule(workspace.owner, ruleId)).toMatchObject({
      newVersions: [{ version: '2', agreedInRow: 2 }, { version: '1' }],
    })
    // The same for answers from before the rule.
    const { newVersions } = await createRule(workspace.owner, { name: 'Later' })
    expect(newVersions).toMatchObject([
      { version: '2', agreedInRow: 2 },
      { version: '1', agreedInRow: 60 },
    ])
  })

  test('answers to tasks from before an edit do not pass a version', async () => {
    const workspace = await workspaceWithHistory()
    const { ruleId } = await createRule(workspace.owner)
    const before: string[] = []
    for (let n = 0; n < 60; n++) before.push((await sendRefund(workspace.agent, { version: '2' })).taskId)
    await workspace.owner.patch(`/rules/${ruleId}`, { when: [{ field: 'amount', is: 'atMost', value: 500 }] })
    for (const taskId of before)
      await workspace.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
    const open = () =>
      query(service.databaseUrl, 'SELECT FROM rule_samples WHERE rule_id = $1 AND judged_at IS NULL', [
        ruleId,
      ])
    await expect.poll(open, waitOptions).toEqual([])
    await agree(workspace, { version: '2' })
    const rule = await waitForRule(workspace.owner, ruleId, {
      newVersions: [{ version: '2', agreedInRow: 1 }, {}],
    })
    expect(rule.newVersions[0].passedAt).toBeUndefined()
    expect((await sendRefund(workspace.agent, { version: '2' })).status).toBe('open')
  })

  test('it rests while ten samples are open, and goes on when they are answered', async () => {
    const workspace = await workspaceWithHistory()
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

  test('it rests while one sample is older than a day', async () => {
    const workspace = await workspaceWithHistory()
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

  test('it pauses when its time is over, and when agents send a form that its answer does not fit', async () => {
    const workspace = await workspaceWithHistory()
    const soon = await createRule(workspace.owner, { until: inDays(20) })
    await moveClock(service.databaseUrl, '21 days')
    await waitForRule(workspace.owner, soon.ruleId, { state: 'paused', pausedBecause: 'untilReached' })
    const other = await workspaceWithHistory()
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

describe('an admin', () => {
  test('pauses, resumes, edits and ends a rule; resuming resets the evidence, renaming and extending do not', async () => {
    const workspace = await workspaceWithHistory()
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
    const workspace = await workspaceWithHistory()
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
    const workspace = await workspaceWithHistory()
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
    const workspace = await workspaceWithHistory()
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
