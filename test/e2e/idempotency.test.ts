import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pruneIdempotencyKeys } from '../../src/server/domain/tasks/prune-idempotency-keys.ts'
import { agentAt } from '../support/nodes.ts'
import { moveClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'

describe('an idempotency key', () => {
  let service: TestService
  let node: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    node = await startService({ DATABASE_URL: service.databaseUrl })
  })
  beforeEach(async () => {
    acme = await service.workspace()
  })
  afterAll(async () => {
    await node?.stop()
    await service?.stop()
  })

  const byHeader = (key: string, body: unknown = taskPayload()) =>
    acme.agent.post('/tasks', body, { 'idempotency-key': key })
  const byArgument = (idempotencyKey: string, more: Record<string, unknown> = {}) =>
    acme.agent.post('/tasks', taskPayload({ ...more, idempotencyKey }))
  const created = async (workspace = acme) =>
    await query<{ type: string }>(
      service.databaseUrl,
      `SELECT type FROM events WHERE workspace_id = $1 AND type = 'service/task_created'`,
      [workspace.workspaceId],
    )

  test('makes a repeated call return the same task, with no second event', async () => {
    const first = await byHeader('refund-7')
    expect(first.status).toBe(201)
    expect(first.headers.has('idempotency-replayed')).toBe(false)
    for (const again of [await byHeader('refund-7'), await byArgument('refund-7')]) {
      expect(again.status).toBe(200)
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect(again.body).toEqual(first.body)
    }
    expect(await created()).toHaveLength(1)
    // Also after the task has ended: the caller may not have received the first response.
    await acme.owner.post(`/tasks/${first.body.taskId}/mark-done`)
    expect((await byHeader('refund-7')).body).toEqual(first.body)
  })

  test('repeats the warnings of the first response', async () => {
    const payload = taskPayload({ context: { data: { a: 1 }, ui: { b: { 'ui:widget': 'markdown' } } } })
    const first = await byHeader('warned', payload)
    expect(first.body.warnings).toHaveLength(1)
    expect((await byHeader('warned', payload)).body).toEqual(first.body)
  })

  test('repeats the first response after the policy or a group has changed', async () => {
    const [ana, ben] = [await acme.person(), await acme.person()]
    const members = [ana.email, ben.email]
    const { groupId } = (await acme.owner.post('/groups', { slug: 'finance', members })).body
    const { policyId } = (await acme.owner.post('/policies', { app: 'default', needed: 2 })).body
    const review = { by: ['group:finance'] }
    const first = await byArgument('reviewed', { review })
    expect(first.body.warnings).toMatchObject([{ path: 'review' }])
    const repeated = async () => {
      const { status, body } = await byArgument('reviewed', { review })
      expect({ status, body }).toEqual({ status: 200, body: first.body })
    }
    await repeated()
    await acme.owner.patch(`/policies/${policyId}`, { by: [ana.email], needed: 3 })
    await repeated()
    await acme.owner.delete(`/policies/${policyId}`)
    await repeated()
    await acme.owner.delete(`/groups/${groupId}`)
    await repeated()
    expect((await byArgument('reviewed', { review: { by: [ana.email] } })).body.code).toBe(
      'idempotency_conflict',
    )
    expect(await created()).toHaveLength(1)
  })

  test('may be in the header and the argument, but must not differ', async () => {
    const both = (header: string, argument: string) =>
      byHeader(header, taskPayload({ idempotencyKey: argument }))
    expect((await both('one', 'one')).status).toBe(201)
    expect(await both('one', 'two')).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path: 'idempotencyKey' }] },
    })
    // Empty counts as absent, on either side.
    expect((await both('one', '')).status).toBe(200)
    expect((await both('', 'one')).status).toBe(200)
    expect((await byHeader('k'.repeat(255))).status).toBe(201)
    expect((await byHeader('k'.repeat(256))).status).toBe(400)
    expect((await byArgument('k'.repeat(256))).status).toBe(400)
  })

  test.each([
    ['another priority', { priority: 'high' }],
    ['a default spelled out', { priority: 'normal' }],
    ['another default spelled out', { delivery: 'poll' }],
    ['an array instead of an object', { metadata: { x: [['a', 1]], list: [1, 2] } }],
    ['another order in an array', { metadata: { x: { a: 1 }, list: [2, 1] } }],
    ['a string instead of a number', { metadata: { x: { a: '1' }, list: [1, 2] } }],
  ])('is rejected with a different body: %s', async (_, more) => {
    const metadata = { x: { a: 1 }, list: [1, 2] }
    const first = await byArgument('taken', { metadata })
    expect(first.status).toBe(201)
    const other = await byArgument('taken', { metadata, ...more })
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } })
    expect((await byArgument('taken', { metadata })).body.taskId).toBe(first.body.taskId)
    expect(await created()).toHaveLength(1)
  })

  test('compares the content, not its formatting', async () => {
    const first = await byHeader('spelled', {
      ...taskPayload(),
      metadata: { b: [1, { d: 1, c: 2 }], a: 'x' },
    })
    const text = JSON.stringify({
      version: null, // null and "" count as absent
      app: '',
      metadata: { a: 'x', b: [1.0, { c: 2, d: 1 }] },
      ...Object.fromEntries(Object.entries(taskPayload()).reverse()),
    })
    const again = await acme.agent.send('POST', '/tasks', `  ${text.replaceAll(',', ' ,\n')}`, {
      'idempotency-key': 'spelled',
    })
    expect(again).toMatchObject({ status: 200, body: { taskId: first.body.taskId } })
  })

  test('lets one of 20 parallel calls at two nodes create the task', async () => {
    for (const key of ['storm-1', 'storm-2', 'storm-3']) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          agentAt(i % 2 === 0 ? service.url : node.url, acme).post('/tasks', taskPayload(), {
            'idempotency-key': key,
          }),
        ),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
      expect(new Set(answers.map(({ body }) => body.taskId)).size).toBe(1)
    }
    expect(await created()).toHaveLength(3)
    expect((await acme.agent.get('/tasks')).body.tasks).toHaveLength(3)
  })

  test('is not consumed by a rejected call', async () => {
    const refused = [
      await byHeader('free', taskPayload({ priority: 'asap' })),
      await byHeader('free', taskPayload({ assignTo: 'nobody@example.com' })),
      await byHeader('free', taskPayload({ actions: [] })),
      await acme.agent.send('POST', '/tasks', '{', { 'idempotency-key': 'free' }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400])
    expect((await byHeader('free')).status).toBe(201)
  })

  test('of a reply repeats it after the end of the task, when no question waits for a reply', async () => {
    const { taskId } = (await acme.agent.post('/tasks', taskPayload({ acceptsQuestions: true }))).body
    const ask = async (text: string) =>
      (await acme.owner.post(`/tasks/${taskId}/questions`, { text, kind: 'question' })).body.questionId
    const answers = await ask('Which card?')
    const reply = { message: 'The same one.', answers, idempotencyKey: 'reply' }
    const first = await acme.agent.post(`/tasks/${taskId}/updates`, reply)
    expect(first).toMatchObject({ status: 201, body: { openQuestions: [] } })
    const questionId = await ask('Since when?')
    const repeated = () => acme.agent.post(`/tasks/${taskId}/updates`, reply)
    expect((await repeated()).body).toMatchObject({ openQuestions: [{ questionId }] })
    await acme.owner.post(`/tasks/${taskId}/mark-done`, {})
    expect(await repeated()).toMatchObject({ status: 200, body: { ...first.body, openQuestions: [] } })
  })

  test('belongs to its workspace only', async () => {
    const strangers = await service.workspace()
    const ours = await byHeader('shared')
    const theirs = await strangers.agent.post('/tasks', taskPayload({ priority: 'low' }), {
      'idempotency-key': 'shared',
    })
    expect([ours.status, theirs.status]).toEqual([201, 201])
    expect(await created()).toHaveLength(1)
    expect(await created(strangers)).toHaveLength(1)
    // Members and agents of a workspace share its keys.
    const person = await acme.owner.post('/tasks', taskPayload(), { 'idempotency-key': 'shared' })
    expect(person).toMatchObject({ status: 200, body: { taskId: ours.body.taskId } })
  })

  test('is free again after 24 hours', async () => {
    const first = await byHeader('daily')
    await moveClock(service.databaseUrl, '23 hours 59 minutes')
    expect((await byHeader('daily')).body.taskId).toBe(first.body.taskId)
    await moveClock(service.databaseUrl, '2 minutes')
    const next = await byHeader('daily', taskPayload({ priority: 'high' }))
    expect(next.status).toBe(201)
    expect(next.body.taskId).not.toBe(first.body.taskId)
    expect((await byHeader('daily')).status).toBe(409)
  })

  test('is deleted once it has expired', async () => {
    const storedKeys = async () =>
      (await query<{ key: string }>(service.databaseUrl, 'SELECT key FROM idempotency_keys')).map(
        ({ key }) => key,
      )
    await byHeader('old-one')
    await moveClock(service.databaseUrl, '26 hours')
    const first = await byHeader('new-one')
    await pruneIdempotencyKeys(service.app.service, new AbortController().signal)
    // The service's own job may be deleting some of them.
    await expect.poll(storedKeys).toEqual(['new-one'])
    expect((await byHeader('new-one')).body).toEqual(first.body)
  })
})
