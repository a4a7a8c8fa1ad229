import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createMigratedDatabase, startService, type TestService, taskPayload } from '../support/service.ts'
import { query, turnAutovacuumOff } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

test('tasks created at the same time are each stored once, as sent, in their own workspace and thread', async () => {
  const [acme, other] = [await service.workspace(), await service.workspace()]
  const payloads = Array.from({ length: 60 }, (_, index) => ({
    ...taskPayload({ threadId: `thread-${index % 4}`, priority: index % 2 === 0 ? 'high' : 'low' }),
    context: { data: { index, text: `"${index}" \\u0041 \\ é 日本 ${'x'.repeat(index)}` } },
    actions: [{ id: `choice-${index}`, title: `Choice ${index}` }],
    metadata: { index },
  }))
  const answers = await Promise.all(
    payloads.map((payload, index) => (index % 3 === 0 ? other : acme).agent.post('/tasks', payload)),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  const records = await Promise.all(
    answers.map(({ body }, index) =>
      (index % 3 === 0 ? other : acme).agent.get(`/tasks/${body.taskId}?include=context,actions`),
    ),
  )
  for (const [index, { body }] of records.entries()) {
    const { context, actions, metadata, threadId } = payloads[index] as Record<string, unknown>
    expect(body).toMatchObject({ context, actions, metadata, threadId, status: 'open' })
  }
  const counts = await Promise.all([acme, other].map(({ owner }) => owner.get('/inbox?limit=100')))
  expect(counts.map(({ body }) => [body.counts.open, body.rows.length])).toEqual([
    [40, 40],
    [20, 20],
  ])
})

test('concurrent reads each return the requested task, and another workspace gets 404', async () => {
  const [acme, other] = [await service.workspace(), await service.workspace()]
  const created = await Promise.all(
    Array.from({ length: 20 }, () => acme.agent.post('/tasks', taskPayload({}))),
  )
  const ids = created.map(({ body }) => body.taskId as string)
  const requested = [...ids, ...ids, 'tsk_00000000000000000000000000']
  const [own, foreign] = await Promise.all(
    [acme, other].map(({ agent }) => Promise.all(requested.map((taskId) => agent.get(`/tasks/${taskId}`)))),
  )
  expect(own!.map(({ body }) => body.taskId)).toEqual([...ids, ...ids, undefined])
  expect(new Set(foreign!.map(({ status }) => status))).toEqual(new Set([404]))
})

test('the service analyzes the tables once there are a hundred tasks, without waiting for autovacuum', async () => {
  const database = await createMigratedDatabase()
  await turnAutovacuumOff(database.url)
  const fresh = await startService({ DATABASE_URL: database.url })
  onTestFinished(async () => {
    await fresh.stop()
    await database.drop()
  })
  const estimate = async () => {
    const [row] = await query(database.url, "SELECT reltuples FROM pg_class WHERE oid = 'tasks'::regclass")
    return row!.reltuples
  }
  const acme = await fresh.workspace()
  // -1 means never analyzed.
  expect(await estimate()).toBe(-1)
  for (const count of [60, 60])
    await acme.agent.post('/tasks/batch', { tasks: Array(count).fill(taskPayload()) })
  await vi.waitFor(async () => expect(await estimate()).toBeGreaterThan(0), waitOptions)
})
