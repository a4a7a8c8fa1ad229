import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { lockWaits } from '../support/database-sessions.ts'
import { asOwner } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

async function newTasks({ agent }: TestWorkspace, count: number, more: object = {}): Promise<string[]> {
  const made = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      agent.post('/tasks', taskPayload({ threadId: `thread-${i % 7}`, metadata: { i }, ...more })),
    ),
  )
  return made.map(({ body }) => body.taskId)
}

const decline = (taskId: string, { owner }: TestWorkspace, reason: string) =>
  owner.post(`/tasks/${taskId}/handle`, { actionId: 'decline', data: { reason } })

test('concurrent answers each end their own task once, with one event, one audit entry and the thread updated', async () => {
  const [acme, other] = [await service.workspace(), await service.workspace()]
  const [ours, theirs] = [await newTasks(acme, 40), await newTasks(other, 5)]
  // The first task gets two answers, one in seven stays open, and one answer comes from the wrong
  // workspace.
  const answered = ours.filter((_, i) => i % 7 !== 6)
  const answers = await Promise.all([
    ...answered.map((taskId, i) => decline(taskId, acme, `"${i}" \\ é 日本`)),
    ...theirs.map((taskId) => decline(taskId, other, 'theirs')),
    decline(answered[0]!, acme, 'too late'),
    decline(answered[1]!, other, 'not mine'),
  ])
  const [late, foreign] = answers.splice(-2)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(late).toMatchObject({ status: 409, body: { code: 'task_not_open' } })
  expect(foreign!.status).toBe(404)

  for (const [i, taskId] of answered.entries()) {
    const { body } = await acme.agent.get(`/tasks/${taskId}`)
    expect(body).toEqual(answers[i]!.body)
    expect(body.handled).toMatchObject({ actionId: 'decline', data: { reason: `"${i}" \\ é 日本` } })
    expect(body.metadata.i).toBe(ours.indexOf(taskId))
  }
  const logged = await query<{ task_id: string; body: { action: { data: object } } }>(
    service.databaseUrl,
    `SELECT task_id, body FROM events WHERE task_id = ANY ($1) AND type = 'service/task_handled'`,
    [answered],
  )
  const reasons = new Map(logged.map(({ task_id, body }) => [task_id, body.action.data]))
  expect(logged).toHaveLength(answered.length)
  for (const [i, taskId] of answered.entries())
    expect(reasons.get(taskId)).toEqual({ reason: `"${i}" \\ é 日本` })
  const audited = await query(
    service.databaseUrl,
    `SELECT FROM audit_log WHERE subject = ANY ($1) AND action = 'task.handled'`,
    [answered],
  )
  expect(audited).toHaveLength(answered.length)

  const { body: inbox } = await acme.owner.get('/inbox?limit=100')
  const open = ours.filter((taskId) => !answered.includes(taskId))
  expect(inbox.rows.map((row: { taskId: string }) => row.taskId).sort()).toEqual([...open].sort())
  const threads = await query(
    service.databaseUrl,
    'SELECT id, open_count FROM threads WHERE workspace_id = (SELECT workspace_id FROM tasks WHERE id = $1)',
    [ours[0]],
  )
  expect(threads).toEqual([{ id: 'thread-6', open_count: open.length }])
})

test('a locked task delays its own answer and no other', async () => {
  const acme = await service.workspace()
  const [busy, ...free] = await newTasks(acme, 8, { threadId: undefined })
  await asOwner(service.databaseUrl, async (client) => {
    await client.query('BEGIN')
    await client.query('SELECT FROM tasks WHERE id = $1 FOR UPDATE', [busy])
    let isHeld = true
    const held = decline(busy!, acme, 'held').finally(() => {
      isHeld = false
    })
    const others = await Promise.all(free.map((taskId) => decline(taskId, acme, 'at once')))
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]))
    await vi.waitFor(async () => expect(await lockWaits(service.databaseUrl)).toBe(1), waitOptions)
    expect(isHeld).toBe(true)
    await client.query('COMMIT')
    expect((await held).status).toBe(200)
  })
})

test('events about a task precede its end in the log, even if the end started first', async () => {
  const acme = await service.workspace()
  const [updated, quiet] = await newTasks(acme, 2, { threadId: undefined })
  const { workspaceId } = acme
  const tasks = await query<{ id: string; thread_id: string }>(
    service.databaseUrl,
    'SELECT id, thread_id FROM tasks WHERE id = ANY ($1)',
    [[updated, quiet]],
  )
  const endings = [updated, quiet].map((taskId, place) => ({
    place,
    taskId,
    threadId: tasks.find(({ id }) => id === taskId)!.thread_id,
    status: 'cancelled',
    byDeadline: false,
  }))
  await asOwner(service.databaseUrl, async (client) => {
    await client.query(`BEGIN; SET LOCAL handrail.workspace = '${workspaceId}'`)
    // With an early transaction id, its events sort before those of later transactions.
    await client.query('SELECT pg_current_xact_id()')
    expect((await acme.agent.post(`/tasks/${updated}/updates`, { message: 'Half done' })).status).toBe(201)
    const { rows } = await client.query('SELECT place FROM end_tasks($1, $2, false)', [
      workspaceId,
      JSON.stringify(endings),
    ])
    expect(rows).toEqual([{ place: 1 }])
    await client.query('ROLLBACK')
  })
})
