import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InboxRow } from '../../src/contract/inbox.ts'
import { priorities } from '../../src/contract/task-fields.ts'
import { insertHandled } from '../support/handled-tasks.ts'
import { asOwner } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'

type CreatedTask = {
  taskId: string
  name: string
  app: string
  type: string
  priority: string
  assignTo?: string
}

describe('the filtered inbox', () => {
  let service: TestService
  let acme: TestWorkspace
  let mara: Awaited<ReturnType<TestWorkspace['person']>>
  let created: CreatedTask[]
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    mara = await acme.person('member')
    created = []
    for (let i = 0; i < 48; i++) {
      const task = {
        name: i === 7 ? 'A parcel for Zanzibar' : `Task ${i}`,
        app: ['shop', 'back office', 'shop'][i % 3]!,
        type: ['refund', 'e-mail.v2'][i % 2]!,
        priority: ['low', 'normal', 'urgent', 'high'][(i * 7) % 4]!,
        ...(i % 5 === 0 && { assignTo: i % 10 === 0 ? mara.email : acme.ownerEmail }),
      }
      const { name, type, ...more } = task
      // Threads group tasks of several priorities; a filtered list is sorted by task only.
      const payload = taskPayload({ ...more, threadId: `thread ${i % 11}` }, { type, name })
      created.push({ ...task, taskId: (await acme.agent.post('/tasks', payload)).body.taskId })
    }
    await acme.owner.post(`/tasks/${created[1]!.taskId}/mark-done`)
    await acme.agent.post(`/tasks/${created[2]!.taskId}/cancel`)
    created = created.filter((_, i) => i !== 1 && i !== 2)
  })
  afterAll(() => service?.stop())

  const inbox = (query: string, caller: TestWorkspace['owner'] = acme.owner) => caller.get(`/inbox?${query}`)

  async function walk(query: string, limit: number) {
    const rows: InboxRow[] = []
    let counts: { open: number; byPriority: Record<string, number> } | undefined
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, body } = await inbox(`${query}&limit=${limit}&cursor=${encodeURIComponent(cursor)}`)
      expect({ status, problem: body.detail }).toEqual({ status: 200, problem: undefined })
      rows.push(...body.rows)
      counts ??= body.counts
      expect(body.counts).toEqual(counts)
      cursor = body.nextCursor
    }
    return { names: rows.map(({ name }) => name), counts: counts! }
  }

  const byPriorityAndAge = (tasks: CreatedTask[]) =>
    priorities.flatMap((priority) => tasks.filter((task) => task.priority === priority))

  test('shows the tasks that match all filters, by priority, oldest first, and counts them', async () => {
    const cases: [string, (task: CreatedTask) => boolean][] = [
      ['app=shop', ({ app }) => app === 'shop'],
      ['app=back+office', ({ app }) => app === 'back office'],
      ['type=e-mail.v2', ({ type }) => type === 'e-mail.v2'],
      ['priority=urgent', ({ priority }) => priority === 'urgent'],
      ['assigned=me', ({ assignTo }) => assignTo === acme.ownerEmail],
      ['assigned=none', ({ assignTo }) => assignTo === undefined],
      ['app=shop&type=refund', ({ app, type }) => app === 'shop' && type === 'refund'],
      [
        'app=shop&priority=low&assigned=none',
        (task) => task.app === 'shop' && task.priority === 'low' && task.assignTo === undefined,
      ],
      ['app=&type=refund', ({ type }) => type === 'refund'],
    ]
    for (const [query, matches] of cases) {
      const expected = byPriorityAndAge(created.filter(matches))
      expect(expected.length, query).toBeGreaterThan(0)
      for (const limit of [3, 200]) {
        const { names, counts } = await walk(query, limit)
        expect({ query, names }).toEqual({ query, names: expected.map(({ name }) => name) })
        expect(counts.open).toBe(expected.length)
        expect(counts.byPriority.urgent).toBe(expected.filter(({ priority }) => priority === 'urgent').length)
      }
    }
  })

  test('resolves "me" to the caller', async () => {
    const names = (await inbox('assigned=me', mara)).body.rows.map(({ name }: InboxRow) => name)
    const mine = byPriorityAndAge(created.filter(({ assignTo }) => assignTo === mara.email))
    expect(names).toEqual(mine.map(({ name }) => name))
  })

  test('finds open tasks by words, newest first, together with filters', async () => {
    const found = async (query: string) =>
      (await inbox(query)).body.rows.map(({ name }: InboxRow) => name) as string[]
    expect(await found('q=zanz')).toEqual(['A parcel for Zanzibar'])
    const urgent = created
      .filter(({ priority, name }) => priority === 'urgent' && name.startsWith('Task'))
      .reverse()
    expect(await found('q=task&priority=urgent')).toEqual(urgent.map(({ name }) => name))
    const mine = created.filter(({ assignTo }) => assignTo === acme.ownerEmail).reverse()
    expect(await found('q=task&assigned=me')).toEqual(mine.map(({ name }) => name))
    const nobodys = created
      .filter(({ assignTo, app }) => assignTo === undefined && app === 'back office')
      .reverse()
    expect(await found('q=refund+parcel&assigned=none&app=back+office')).toEqual(
      nobodys.filter(({ type }) => type === 'refund').map(({ name }) => name),
    )
    const { names, counts } = await walk('q=task', 7)
    expect(names).toEqual(
      created
        .filter(({ name }) => name.startsWith('Task'))
        .reverse()
        .map(({ name }) => name),
    )
    expect(counts.open).toBe(names.length)
  })

  test('finds an open task by its id, and none that has ended or does not match', async () => {
    const { taskId, name, app } = created[10]!
    expect((await inbox(`q=${taskId}`)).body.rows).toMatchObject([{ taskId, name }])
    const other = app === 'shop' ? 'back+office' : 'shop'
    expect((await inbox(`q=${taskId}&app=${other}`)).body).toMatchObject({ rows: [], counts: { open: 0 } })
    const ended = (await acme.agent.post('/tasks', taskPayload())).body.taskId
    await acme.owner.post(`/tasks/${ended}/mark-done`)
    expect((await inbox(`q=${ended}`)).body.rows).toEqual([])
  })

  test('rejects unknown filters and a cursor of a different order', async () => {
    const first = (await inbox('app=shop&limit=1')).body.nextCursor
    for (const [query, path] of [
      ['appp=shop', 'appp'],
      ['assigned=mara', 'assigned'],
      ['priority=high&priority=low', 'priority'],
      [`q=${'x'.repeat(201)}`, 'q'],
      [`cursor=${first}`, 'cursor'],
      [`q=task&cursor=${first}`, 'cursor'],
    ]) {
      expect(await inbox(query!), query).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ path }] },
      })
    }
  })

  test('lists the apps and types of open tasks, and the members who have answered', async () => {
    expect((await acme.owner.get('/inbox/facets')).body).toMatchObject({
      apps: ['back office', 'shop'],
      types: ['e-mail.v2', 'refund'],
      hasMore: false,
    })
    const empty = await service.workspace()
    const nothing = { apps: [], types: [], hasMore: false, answeredBy: [] }
    expect((await empty.owner.get('/inbox/facets')).body).toEqual(nothing)
    const people = { mara: await empty.person('member', 'Mara'), idle: await empty.person('member', 'Idle') }
    for (const person of [people.mara, empty.owner, people.mara]) {
      const { taskId } = (await empty.agent.post('/tasks', taskPayload())).body
      await person.post(`/tasks/${taskId}/mark-done`)
    }
    const { answeredBy } = (await empty.owner.get('/inbox/facets')).body
    expect(answeredBy.toSorted()).toEqual([empty.ownerEmail, people.mara.email].toSorted())
    await Promise.all(
      Array.from({ length: 102 }, (_, n) => empty.agent.post('/tasks', taskPayload({ app: `app ${n}` }))),
    )
    const { body } = await empty.owner.get('/inbox/facets')
    expect({ apps: body.apps.length, hasMore: body.hasMore }).toEqual({ apps: 100, hasMore: true })
  })
})

describe('the figures of a day', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service?.stop())

  test('count the answers since then, of everyone and of the caller', async () => {
    const acme = await service.workspace()
    const mara = await acme.person('member')
    const since = new Date(Date.now() - 60_000).toISOString()
    const today = async (from = since) => (await acme.owner.get(`/inbox/today?since=${from}`)).body
    expect(await today()).toEqual({
      ...{ handled: 0, handledByMe: 0, handledBeforeDeadline: 0, missed: 0, arrived: 0, hours: [] },
      ...{ hasMoreAnswers: false, hasMoreArrivals: false },
      ...{ medianSeconds: null, medianSecondsBefore: null, oldestOpenAt: null },
      due: { late: 0, soon: 0, rows: [] },
    })
    for (const person of [acme.owner, acme.owner, mara]) {
      const deadline = person === mara ? { expiresInSeconds: 3_600 } : {}
      const { taskId } = (await acme.agent.post('/tasks', taskPayload(deadline))).body
      await person.post(`/tasks/${taskId}/mark-done`)
    }
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    expect(await today()).toEqual({
      ...{ handled: 3, handledByMe: 2, handledBeforeDeadline: 1, missed: 0, arrived: 4 },
      ...{ hasMoreAnswers: false, hasMoreArrivals: false },
      hours: [{ arrived: 4, handled: 3 }],
      medianSeconds: expect.any(Number),
      medianSecondsBefore: null,
      due: { late: 0, soon: 0, rows: [] },
      oldestOpenAt: (await acme.agent.get(`/tasks/${taskId}`)).body.createdAt,
    })
    const tomorrow = new Date(Date.now() + 60_000).toISOString()
    expect(await today(tomorrow)).toMatchObject({ handled: 0, arrived: 0, hours: [], medianSeconds: null })
    expect((await today(tomorrow)).medianSecondsBefore).toEqual(expect.any(Number))
    expect((await today('0001-01-01T00:00:00Z')).hours).toHaveLength(25)
    expect((await acme.owner.get('/inbox/today')).status).toBe(400)
  })

  test('count what is due within half an hour, earliest first, and the deadlines that have passed', async () => {
    const acme = await service.workspace()
    const since = new Date(Date.now() - 60_000).toISOString()
    const today = async () => (await acme.owner.get(`/inbox/today?since=${since}`)).body
    const send = async (minutes: number | undefined, more: Record<string, unknown> = {}) => {
      const deadline = minutes === undefined ? {} : { expiresInSeconds: minutes * 60 }
      return (await acme.agent.post('/tasks', taskPayload({ ...deadline, ...more }))).body.taskId
    }
    const ids = [await send(25, { priority: 'low' }), await send(20), await send(15), await send(10)]
    await send(40, { priority: 'urgent' })
    await send(undefined)
    const { due } = await today()
    expect(due).toMatchObject({ late: 0, soon: 4 })
    expect(due.rows.map(({ taskId }: { taskId: string }) => taskId)).toEqual([ids[3], ids[2], ids[1]])
    const answered = await send(1, { onExpire: { actionId: 'approve' } })
    await moveDeadline(service.databaseUrl, [ids[2], answered])
    await expect.poll(async () => (await today()).missed).toBe(2)
    expect((await today()).due).toMatchObject({ late: 0, soon: 3 })
  })

  test('say whether the answers or the arrivals are incomplete', async () => {
    const acme = await service.workspace()
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
    const today = async (since = hoursAgo(1)) => (await acme.owner.get(`/inbox/today?since=${since}`)).body
    const complete = { hasMoreAnswers: false, hasMoreArrivals: false }
    // Created an hour before that time, so that none of them counts as arrived.
    const timeout = { decidedBy: 'timeout', seconds: 7200 } as const
    await insertHandled(service.databaseUrl, acme.workspaceId, Array(5_000).fill(timeout))
    expect(await today()).toMatchObject({ missed: 5_000, arrived: 0, ...complete })
    await insertHandled(service.databaseUrl, acme.workspaceId, [timeout])
    expect(await today()).toMatchObject({ handled: 0, arrived: 0, ...complete, hasMoreAnswers: true })
    await asOwner(service.databaseUrl, async (client) => {
      await client.query('SET handrail.crossing = on')
      await client.query("UPDATE tasks SET status = 'expired' WHERE workspace_id = $1", [acme.workspaceId])
    })
    expect(await today()).toMatchObject({ handled: 0, arrived: 0, ...complete })
    expect(await today(hoursAgo(3))).toMatchObject({ arrived: 5_000, ...complete, hasMoreArrivals: true })
  })
})

/** Moves the deadlines of these tasks into the past. */
async function moveDeadline(databaseUrl: string, taskIds: string[]): Promise<void> {
  await query(
    databaseUrl,
    "UPDATE tasks SET expires_at = app_now() - interval '1 second' WHERE id = ANY ($1)",
    [taskIds],
  )
}
