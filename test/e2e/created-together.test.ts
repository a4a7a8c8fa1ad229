import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startService, type TestService, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

test('tasks that arrive at the same time each become what was sent, once, in their own workspace and thread', async () => {
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

test('readers at the same time each get the task they asked for, and a stranger gets none', async () => {
  const [acme, other] = [await service.workspace(), await service.workspace()]
  const created = await Promise.all(
    Array.from({ length: 20 }, () => acme.agent.post('/tasks', taskPayload({}))),
  )
  const ids = created.map(({ body }) => body.taskId as string)
  const asked = [...ids, ...ids, 'tsk_00000000000000000000000000']
  const [own, foreign] = await Promise.all(
    [acme, other].map(({ agent }) => Promise.all(asked.map((taskId) => agent.get(`/tasks/${taskId}`)))),
  )
  expect(own!.map(({ body }) => body.taskId)).toEqual([...ids, ...ids, undefined])
  expect(new Set(foreign!.map(({ status }) => status))).toEqual(new Set([404]))
})

test('PostgreSQL gets to know the tables with the first hundred tasks, so that the inbox is not read again for each thread', async () => {
  const acme = await service.workspace()
  await Promise.all(Array.from({ length: 120 }, () => acme.agent.post('/tasks', taskPayload({}))))
  await vi.waitFor(async () => {
    const [row] = await query(
      service.databaseUrl,
      "SELECT reltuples FROM pg_class WHERE oid = 'tasks'::regclass",
    )
    // -1 is unknown. Autovacuum may have come first, while there were only the tasks of the tests above.
    expect(row!.reltuples).toBeGreaterThan(0)
  }, 30_000)
})
