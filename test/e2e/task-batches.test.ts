import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'

type Result = {
  status: number
  task?: { taskId: string; delivery: string; url: string; warnings?: object[] }
  problem?: { status: number; code: string; errors?: { path: string }[]; requestId: string }
}

describe('POST /tasks/batch', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
  })
  beforeEach(async () => {
    acme = await service.workspace()
  })
  afterAll(() => service?.stop())

  const named = (name: string, more: Record<string, unknown> = {}) => taskPayload(more, { name })
  const send = async (tasks: unknown[], workspace = acme): Promise<Result[]> => {
    const { status, body } = await workspace.agent.post('/tasks/batch', { tasks })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(Object.keys(body)).toEqual(['results'])
    expect(body.results).toHaveLength(tasks.length)
    return body.results
  }
  const statuses = (results: Result[]) => results.map(({ status }) => status)
  const names = async (workspace = acme): Promise<string[]> =>
    (await workspace.agent.get('/tasks?limit=100')).body.tasks.map(({ name }: { name: string }) => name)

  test('creates up to 100 tasks and returns their results in order, each with one event', async () => {
    const tasks = Array.from({ length: 100 }, (_, index) =>
      named(`Task ${index}`, index % 2 === 0 ? { idempotencyKey: `key-${index}` } : {}),
    )
    const results = await send(tasks)
    expect(new Set(statuses(results))).toEqual(new Set([201]))
    const listed = (await acme.agent.get('/tasks?limit=100')).body.tasks
    const byId = new Map(listed.map(({ taskId, name }: { taskId: string; name: string }) => [taskId, name]))
    expect(results.map(({ task }) => byId.get(task!.taskId))).toEqual(tasks.map(({ task }) => task.name))
    expect(results[7]!.task).toEqual({
      taskId: expect.stringMatching(/^tsk_/),
      delivery: 'poll',
      url: expect.stringContaining(results[7]!.task!.taskId),
    })
    const events = await query<{ taskId: string }>(
      service.databaseUrl,
      `SELECT task_id AS "taskId" FROM events WHERE workspace_id = $1`,
      [acme.workspaceId],
    )
    expect(events.map(({ taskId }) => taskId).sort()).toEqual(results.map(({ task }) => task!.taskId).sort())
  })

  test('a task that is refused has the problem it would have alone, and the others are created', async () => {
    const mara = await acme.person()
    const refused: [unknown, string | undefined][] = [
      [null, ''],
      [named('x', { actions: [] }), 'actions'],
      [{ ...named('x'), priorty: 'high' }, 'priorty'],
      [named('x', { callbackUrl: 'http://169.254.169.254/latest' }), 'callbackUrl'],
      [named('x', { assignTo: 'nobody@example.com', idempotencyKey: 'free' }), 'assignTo'],
      [named('x', { actions: [{ id: 'a', title: 'A', schema: { type: 'string' } }] }), 'actions[0].schema'],
      [named('x', { context: { data: { text: 'x'.repeat(513 * 1024) } } }), undefined],
    ]
    const tasks = [
      named('first', { metadata: { n: 1 } }),
      ...refused.map(([task]) => task),
      named('assigned', { assignTo: mara.email, idempotencyKey: 'assigned' }),
      named('last', { context: { data: { a: 1 }, ui: { b: { 'ui:widget': 'markdown' } } } }),
    ]
    const results = await send(tasks)
    expect(statuses(results)).toEqual([201, 400, 400, 400, 400, 400, 400, 413, 201, 201])
    for (const [index, [task, path]] of refused.entries()) {
      const { status, problem } = results[index + 1]!
      const alone = await acme.agent.post('/tasks', task === null ? [] : task)
      expect(problem).toMatchObject({ status, code: alone.body.code })
      if (task !== null) expect({ ...problem, requestId: '' }).toEqual({ ...alone.body, requestId: '' })
      if (path !== undefined) expect(problem!.errors!.map((error) => error.path)).toContain(path)
    }
    expect(results.at(-1)!.task!.warnings).toHaveLength(1)
    expect((await names()).sort()).toEqual(['assigned', 'first', 'last'])
    expect((await mara.get(`/tasks/${results[8]!.task!.taskId}`)).body.assignedTo).toBe(mara.email)
    // A refused task has not used its key.
    expect(statuses(await send([named('free', { idempotencyKey: 'free' })]))).toEqual([201])
  })

  test('repeating a batch returns the same tasks, also after a part of it was created', async () => {
    const tasks = Array.from({ length: 20 }, (_, index) =>
      named(`Task ${index}`, { idempotencyKey: `k${index}` }),
    )
    // What a process that was killed in the middle of the batch leaves behind: some of the tasks,
    // each whole.
    const part = await send(tasks.slice(5, 12))
    const first = await send(tasks)
    expect(statuses(first)).toEqual(tasks.map((_, index) => (index >= 5 && index < 12 ? 200 : 201)))
    expect(first.slice(5, 12).map(({ task }) => task)).toEqual(part.map(({ task }) => task))
    const [again, concurrent] = await Promise.all([send(tasks), send(tasks.toReversed())])
    expect(new Set([...statuses(again), ...statuses(concurrent)])).toEqual(new Set([200]))
    expect(again.map(({ task }) => task)).toEqual(first.map(({ task }) => task))
    expect(concurrent.toReversed().map(({ task }) => task)).toEqual(first.map(({ task }) => task))
    expect(await names()).toHaveLength(20)
    // The key belongs to the task, however it was sent.
    const alone = await acme.agent.post('/tasks', tasks[0])
    expect([alone.status, alone.body]).toEqual([200, first[0]!.task])
  })

  test('of two equal keys in one batch, the first creates the task', async () => {
    const one = named('one', { idempotencyKey: 'same' })
    const other = named('other', { idempotencyKey: 'same' })
    const [created, replayed, conflict, last] = await send([one, one, other, one])
    expect(statuses([created!, replayed!, conflict!, last!])).toEqual([201, 200, 409, 200])
    expect(replayed!.task).toEqual(created!.task)
    expect(last!.task).toEqual(created!.task)
    expect(conflict!.problem!.code).toBe('idempotency_conflict')
    // A refused first one leaves the key to the next.
    const unknown = named('one', { idempotencyKey: 'next', assignTo: 'nobody@example.com' })
    const next = named('two', { idempotencyKey: 'next' })
    expect(statuses(await send([unknown, next, unknown, next]))).toEqual([400, 201, 409, 200])
    expect((await names()).sort()).toEqual(['one', 'two'])
  })

  test('the first of equal keys also creates the task if it takes longer to check, because of its review', async () => {
    const mara = await acme.person()
    const one = named('one', { idempotencyKey: 'same', review: { by: [mara.email] } })
    const other = named('other', { idempotencyKey: 'same' })
    expect(statuses(await send([one, other, one]))).toEqual([201, 409, 200])
  })

  test('is refused as a whole if it is invalid itself', async () => {
    const invalid: [what: string, body: object, path: string][] = [
      ['no tasks', { tasks: [] }, 'tasks'],
      ['101 tasks', { tasks: Array(101).fill(taskPayload()) }, 'tasks'],
      ['no list', { tasks: taskPayload() }, 'tasks'],
      ['another field', { tasks: [taskPayload()], app: 'books' }, 'app'],
      ['NUL in one task', { tasks: [taskPayload(), taskPayload({}, { name: '\0' })] }, 'tasks[1].task.name'],
    ]
    for (const [what, body, path] of invalid) {
      const { status, body: problem } = await acme.agent.post('/tasks/batch', body)
      expect(status, what).toBe(400)
      expect(problem.errors.map((error: { path: string }) => error.path)).toContain(path)
    }
    expect(await names()).toEqual([])
  })

  test('is refused as a whole above 1 MiB, with a key of its own, and without authentication', async () => {
    const tasks = Array(10).fill(named('large', { context: { data: { text: 'x'.repeat(110 * 1024) } } }))
    expect(await acme.agent.post('/tasks/batch', { tasks })).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' },
    })
    const headers = { 'idempotency-key': 'batch' }
    expect(await acme.agent.post('/tasks/batch', { tasks: [taskPayload()] }, headers)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'Idempotency-Key' }] },
    })
    expect(await names()).toEqual([])
    const anonymous = await fetch(`${service.url}/api/v1/tasks/batch`, { method: 'POST', body: '{}' })
    expect(anonymous.status).toBe(401)
  })

  test('creates tasks in the workspace of its key, whose keys are its own', async () => {
    const strangers = await service.workspace()
    const tasks = [named('ours', { idempotencyKey: 'shared' }), named('thread', { threadId: 'shared' })]
    const [ours, theirs] = [await send(tasks), await send(tasks, strangers)]
    expect(statuses(theirs)).toEqual([201, 201])
    expect((await strangers.agent.get(`/tasks/${ours[0]!.task!.taskId}`)).status).toBe(404)
    expect((await names(strangers)).sort()).toEqual(['ours', 'thread'])
    const assigned = await send([named('x', { assignTo: acme.ownerEmail })], strangers)
    expect(assigned[0]).toMatchObject({ status: 400, problem: { errors: [{ path: 'assignTo' }] } })
  })
})
