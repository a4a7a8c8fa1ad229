import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

describe('the life cycle of a task over REST', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
  })
  afterAll(() => service.stop())

  test('an agent creates a task, a person answers it, the agent reads the answer', async () => {
    const created = await acme.agent.post('/tasks', taskPayload({ metadata: { order: 7 }, priority: 'high' }))
    expect(created).toMatchObject({ status: 201, body: { delivery: 'poll' } })
    const { taskId } = created.body
    expect((await acme.owner.get('/inbox')).body.rows).toMatchObject([
      { taskId, name: 'Refund €40?', priority: 'high' },
    ])

    const answered = await acme.owner.post(`/tasks/${taskId}/handle`, {
      actionId: 'decline',
      data: { reason: 'Too late' },
    })
    expect(answered.status).toBe(200)
    const { body } = await acme.agent.get(`/tasks/${taskId}`)
    expect(body).toMatchObject({
      taskId,
      status: 'handled',
      threadId: taskId,
      app: 'default',
      metadata: { order: 7 },
      url: `${service.url}/w/${acme.workspaceId}/inbox/${taskId}`,
      handled: {
        actionId: 'decline',
        actionTitle: 'Decline',
        data: { reason: 'Too late' },
        handledBy: acme.ownerEmail,
        decidedBy: 'human',
        via: 'web',
      },
    })
    expect(body.handled.handledAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect((await acme.owner.get('/inbox')).body.rows).toEqual([])
  })

  test('updatedAt is never older than anything the record shows', async () => {
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    const record = async () => (await acme.agent.get(`/tasks/${taskId}`)).body
    for (let times = 0; times < 10; times++) {
      const sent = await acme.agent.post(`/tasks/${taskId}/updates`, { message: `Step ${times}` })
      const { latestUpdate, updatedAt } = await record()
      expect(latestUpdate.at).toBe(sent.body.createdAt)
      expect(updatedAt >= latestUpdate.at, `${updatedAt} >= ${latestUpdate.at}`).toBe(true)
    }
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    const { handled, updatedAt } = await record()
    expect(updatedAt >= handled.handledAt).toBe(true)
  })

  test('a rejected task carries the person’s feedback to the agent', async () => {
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    await acme.owner.post(`/tasks/${taskId}/reject`, { feedback: 'Wrong customer.' })
    expect((await acme.agent.get(`/tasks/${taskId}`)).body.handled).toMatchObject({
      actionId: 'service:reject-request',
      actionTitle: 'Reject task',
      data: { feedback: 'Wrong customer.' },
    })
  })

  test('a task marked done has the reserved action as its answer', async () => {
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    expect((await acme.agent.get(`/tasks/${taskId}`)).body.handled).toMatchObject({
      actionId: 'service:mark-done',
      actionTitle: 'Mark done',
      data: {},
    })
  })

  test('a cancelled task leaves the inbox, and cancelling again returns the same', async () => {
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    for (let time = 0; time < 2; time++) {
      expect(await acme.agent.post(`/tasks/${taskId}/cancel`, { reason: 'Solved' })).toMatchObject({
        status: 200,
        body: { taskId, status: 'cancelled' },
      })
    }
    expect((await acme.agent.get(`/tasks/${taskId}`)).body).toMatchObject({
      status: 'cancelled',
      cancelled: { reason: 'Solved' },
    })
    expect((await acme.owner.get('/inbox')).body.rows).toEqual([])
  })

  test('updates show on the task and in the timeline of its thread', async () => {
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    await acme.agent.post(`/tasks/${taskId}/updates`, {
      message: 'Looking up the parcel',
      level: 'working',
      progress: 40,
    })
    const sent = await acme.agent.post(`/tasks/${taskId}/updates`, { message: 'Found it' })
    expect(sent.status).toBe(201)
    const { body } = await acme.agent.get(`/tasks/${taskId}?include=updates`)
    expect(body.latestUpdate).toMatchObject({
      updateId: sent.body.updateId,
      message: 'Found it',
      level: 'info',
    })
    expect(body.updates).toMatchObject([{ progress: 40 }, { message: 'Found it' }])
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    const timeline = await acme.owner.get(`/threads/${taskId}/timeline`)
    expect(timeline.body.entries.map((entry: { kind: string }) => entry.kind)).toEqual([
      'created',
      'update',
      'update',
      'handled',
    ])
    expect((await acme.agent.post(`/tasks/${taskId}/updates`, { message: 'Too late' })).body.code).toBe(
      'task_not_open',
    )
  })

  test('an agent cannot answer, claim or reject a task', async () => {
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    for (const verb of ['handle', 'mark-done', 'reject', 'claim']) {
      expect(await acme.agent.post(`/tasks/${taskId}/${verb}`)).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      })
    }
  })

  test('the context is returned as it was sent: key order, unusual keys and strings unchanged', async () => {
    const text =
      '{"task":{"type":"t","name":"N","description":"D"},"context":{"data":{"zebra":1,"alpha":{"y":"\\u202e\\t\\"<b>","x":1.0}, "__proto__":{"polluted":true},"2":"two","1":"one"}},"actions":[{"id":"ok","title":"OK"}]}'
    const { body } = await acme.agent.send('POST', '/tasks', text)
    const read = await fetch(`${service.url}/api/v1/tasks/${body.taskId}?include=context`, {
      headers: { 'x-api-key': acme.apiKey },
    })
    expect(await read.text()).toContain(
      '"context":{"data":{"1":"one","2":"two","zebra":1,"alpha":{"y":"\u202e\\t\\"<b>","x":1},"__proto__":{"polluted":true}}}',
    )
  })
})
