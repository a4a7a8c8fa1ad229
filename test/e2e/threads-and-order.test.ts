import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { InboxRow } from '../../src/contract/inbox.ts'
import { limits } from '../../src/contract/limits.ts'
import { priorities } from '../../src/contract/task-fields.ts'
import { type SortableTask as Row, sortLikeInbox } from '../support/inbox-order.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

describe('the inbox', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
  })
  beforeEach(async () => {
    acme = await service.workspace()
  })
  afterAll(() => service?.stop())

  async function walk(limit: number, betweenPages: () => Promise<void> = async () => {}) {
    const rows: InboxRow[] = []
    let counts: { open: number } | undefined
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, body } = await acme.owner.get(
        `/inbox?limit=${limit}&cursor=${encodeURIComponent(cursor)}`,
      )
      expect({ status, problem: body.detail }).toEqual({ status: 200, problem: undefined })
      expect(body.rows.length).toBeLessThanOrEqual(limit)
      rows.push(...body.rows)
      counts ??= body.counts
      cursor = body.nextCursor
      await betweenPages()
    }
    return { rows, taskIds: rows.map(({ taskId }) => taskId), counts: counts! }
  }

  /** Creates a few at a time, so that some share a millisecond; the service then chooses their order. */
  async function create(tasks: { priority: string; threadId: string }[], atOnce = 5): Promise<Row[]> {
    const rows: Row[] = []
    for (let i = 0; i < tasks.length; i += atOnce) {
      rows.push(
        ...(await Promise.all(
          tasks.slice(i, i + atOnce).map(async (task) => {
            const { taskId } = (await acme.agent.post('/tasks', taskPayload(task))).body
            return (await acme.agent.get(`/tasks/${taskId}`)).body as Row
          }),
        )),
      )
    }
    return rows
  }

  test('is sorted by the rank of the thread, then its oldest open task, then within the thread', async () => {
    const tasks = [
      { threadId: 'a', priority: 'low' },
      { threadId: 'b', priority: 'urgent' },
      { threadId: 'c', priority: 'high' },
      { threadId: 'a', priority: 'high' },
    ]
    const [lowFirst, urgent, high, late] = (await create(tasks, 1)) as [Row, Row, Row, Row]
    // Thread a has rank high because of its second task, and is older than c because of its first.
    expect((await walk(100)).taskIds).toEqual([urgent, late, lowFirst, high].map(({ taskId }) => taskId))
    await acme.owner.post(`/tasks/${late.taskId}/mark-done`)
    expect((await walk(100)).taskIds).toEqual([urgent, high, lowFirst].map(({ taskId }) => taskId))
  })

  test('matches a simple model after random changes, for every page size', async () => {
    const random = seededRandom(20_261_115)
    // Only letters and digits, because the order of other characters depends on the database.
    const randomTask = () => ({
      priority: priorities[random(4)]!,
      threadId: random(3) === 0 ? `single${random(1_000_000)}` : `thread${random(15)}`,
    })
    const open: Row[] = []
    let moved = 0
    for (const [createCount, endCount] of [
      [60, 0],
      [0, 25],
      [35, 18],
      [22, 40],
    ] as const) {
      open.push(...(await create(Array.from({ length: createCount }, randomTask))))
      const before = sortLikeInbox(open)
      const ending = Array.from({ length: endCount }, () => open.splice(random(open.length), 1)[0]!)
      const ended = await Promise.all(
        ending.map(({ taskId }, i) =>
          i % 2 === 0
            ? acme.owner.post(`/tasks/${taskId}/mark-done`)
            : acme.agent.post(`/tasks/${taskId}/cancel`),
        ),
      )
      expect(ended.filter(({ status }) => status !== 200)).toEqual([])
      const expected = sortLikeInbox(open)
      const stayed = new Set(expected)
      if (before.filter((taskId) => stayed.has(taskId)).join() !== expected.join()) moved += 1
      for (const limit of [7, 200]) {
        const { taskIds, counts } = await walk(limit)
        expect(taskIds).toEqual(expected)
        expect(counts.open).toBe(open.length)
      }
    }
    // The test is only meaningful if threads changed their order when tasks ended.
    expect(moved).toBeGreaterThan(0)
  })

  test('shows unchanged threads exactly once while other threads appear, disappear and move', async () => {
    const random = seededRandom(7)
    const unchanged = await create(
      Array.from({ length: 18 }, (_, i) => ({
        threadId: `unchanged${i % 8}`,
        priority: priorities[random(4)]!,
      })),
    )
    const changing = await create(
      Array.from({ length: 24 }, (_, i) => ({
        threadId: `changing${i % 9}`,
        priority: priorities[random(4)]!,
      })),
    )
    const { taskIds } = await walk(5, async () => {
      const ended = changing.splice(random(changing.length), 1)[0]
      if (ended) await acme.owner.post(`/tasks/${ended.taskId}/mark-done`)
      await create([{ threadId: `changing${random(9)}`, priority: priorities[random(4)]! }])
    })
    const seen = taskIds.filter((taskId) => unchanged.some((row) => row.taskId === taskId))
    expect(seen).toEqual(sortLikeInbox(unchanged))
  })

  test('has pages for any thread names', async () => {
    const names = [
      '界'.repeat(128),
      '"'.repeat(128),
      '\\'.repeat(128),
      'ß'.repeat(128),
      '😀'.repeat(64),
      "a'b; --",
    ]
    const rows = await create(names.map((threadId) => ({ threadId, priority: 'normal' })))
    const { rows: seen } = await walk(1)
    expect(seen.map(({ threadId }) => threadId).sort()).toEqual([...names].sort())
    expect(seen).toHaveLength(rows.length)
  })

  test('rejects an invalid cursor', async () => {
    const foreign = (await acme.agent.get('/tasks?limit=1')).body.nextCursor ?? 'W10'
    for (const cursor of [
      'x',
      foreign,
      Buffer.from('[1,2,3,4,5,6]').toString('base64url'),
      'a'.repeat(5_000),
    ]) {
      expect(await acme.owner.get(`/inbox?cursor=${cursor}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ path: 'cursor' }] },
      })
    }
  })

  test('clamps the size of a page', async () => {
    await create(Array.from({ length: 3 }, () => ({ threadId: 'x', priority: 'low' })))
    expect((await acme.owner.get('/inbox?limit=0')).body.rows).toHaveLength(1)
    expect((await acme.owner.get('/inbox?limit=99999')).body.rows).toHaveLength(3)
  })
})

describe('a thread', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
  })
  afterAll(() => service?.stop())

  test('links its other open tasks from each of them, in the order of the inbox, for people only', async () => {
    const send = async (name: string, more: object = {}) =>
      (await acme.agent.post('/tasks', taskPayload({ threadId: 'case 4', ...more }, { name }))).body
        .taskId as string
    const normal = await send('Normal')
    const ended = await send('Ended')
    const urgent = await send('Urgent', { priority: 'urgent' })
    const other = await send('Other')
    await acme.owner.post(`/tasks/${ended}/mark-done`)
    const linked = async (taskId: string) =>
      (await acme.owner.get(`/tasks/${taskId}?include=threadTasks`)).body.threadTasks
    expect(await linked(normal)).toEqual([
      { taskId: urgent, name: 'Urgent', priority: 'urgent' },
      { taskId: other, name: 'Other', priority: 'normal' },
    ])
    expect((await linked(ended)).map(({ name }: { name: string }) => name)).toEqual([
      'Urgent',
      'Normal',
      'Other',
    ])
    for (let n = 0; n < 10; n++) await send(`Late ${n}`, { priority: 'low' })
    expect(await linked(other)).toHaveLength(limits.threadTasks)
    expect(await linked(await send('Alone', { threadId: 'alone' }))).toEqual([])
    expect((await acme.agent.get(`/tasks/${other}?include=threadTasks`)).status).toBe(400)
  })

  test('is one timeline of all its tasks, page by page, oldest first', async () => {
    const threadId = 'Bestellung 7/ü'
    const send = async (name: string, app: string) =>
      (await acme.agent.post('/tasks', taskPayload({ threadId, app }, { name }))).body.taskId as string
    const one = await send('One', 'shop')
    await acme.agent.post(`/tasks/${one}/updates`, { message: 'Looking' })
    const two = await send('Two', 'depot')
    await acme.owner.post(`/tasks/${one}/reject`, { feedback: 'No' })
    await acme.agent.post(`/tasks/${two}/cancel`, { reason: 'Settled' })

    const entries: { taskId: string; kind: string }[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await acme.owner.get(
        `/threads/${encodeURIComponent(threadId)}/timeline?limit=2&cursor=${encodeURIComponent(cursor)}`,
      )
      entries.push(...body.entries)
      cursor = body.nextCursor
    }
    expect(entries).toMatchObject([
      { taskId: one, kind: 'created', taskName: 'One', app: 'shop' },
      { taskId: one, kind: 'update', message: 'Looking', level: 'info' },
      { taskId: two, kind: 'created', app: 'depot' },
      { taskId: one, kind: 'handled', by: acme.ownerEmail, actionId: 'service:reject-request' },
      { taskId: two, kind: 'cancelled', message: 'Settled' },
    ])
    expect(entries).toHaveLength(5)
    expect((await acme.owner.get('/threads/unknown/timeline')).status).toBe(404)
  })
})
