import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { InboxEvent } from '../../src/contract/inbox.ts'
import { newId } from '../../src/server/lib/ids.ts'
import { eventIds, openInboxReader, ownerAt } from '../support/inbox-reader.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

/** Writes an event like the service does, on a connection that the test commits. */
async function insertEvent(client: pg.Client, workspaceId: string): Promise<string> {
  const eventId = newId('event')
  const taskId = newId('task')
  await client.query(`SELECT set_config('handrail.workspace', $1, true)`, [workspaceId])
  await client.query(
    `INSERT INTO events (workspace_id, event_id, type, task_id, thread_id, body)
     VALUES ($1, $2, 'service/task_released', $3, $3, '{}')`,
    [workspaceId, eventId, taskId],
  )
  return eventId
}

describe('a reader of the event log', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
  })
  // One log per test, because the last events of a test may still be held back when the next test
  // starts.
  beforeEach(async () => {
    acme = await service.workspace()
  })
  afterAll(() => service?.stop())

  const eventCursor = async () => (await acme.owner.get('/inbox')).body.eventCursor as string
  const createTask = async (more = {}) =>
    (await acme.agent.post('/tasks', taskPayload(more))).body.taskId as string

  async function withTwoConnections(work: (one: pg.Client, other: pg.Client) => Promise<void>) {
    const [one, other] = [1, 2].map(() => new pg.Client({ connectionString: service.databaseUrl }))
    try {
      await Promise.all([one!.connect(), other!.connect()])
      await work(one!, other!)
    } finally {
      await Promise.all([one!.end(), other!.end()])
    }
  }

  test('sees both of two transactions that commit in reverse order of their ids, and never skips the first', async () => {
    await withTwoConnections(async (early, late) => {
      const reader = await openInboxReader(ownerAt(service.url, acme))
      await early.query('BEGIN')
      const first = await insertEvent(early, acme.workspaceId)
      await late.query('BEGIN')
      const second = await insertEvent(late, acme.workspaceId)
      await late.query('COMMIT')
      // The commits above cause no wake-up; this one does.
      const taskId = await createTask()
      await sleep(400)
      expect(eventIds(reader.seen)).toEqual([])
      await early.query('COMMIT')

      expect(eventIds(await reader.first(2))).toEqual([first, second])
      expect((await reader.first(3))[2]!.event).toMatchObject({ type: 'service/task_created', taskId })
      await sleep(300)
      expect(reader.seen).toHaveLength(3)
      await reader.close()
    })
  })

  test('sees both when the transaction that started first got the higher id', async () => {
    await withTwoConnections(async (early, late) => {
      const after = await eventCursor()
      await early.query('BEGIN')
      await early.query('SELECT pg_current_xact_id()')
      await late.query('BEGIN')
      const lowerId = await insertEvent(late, acme.workspaceId)
      const higherId = await insertEvent(early, acme.workspaceId)
      await late.query('COMMIT')
      const reader = await openInboxReader(ownerAt(service.url, acme), { after })
      await sleep(300)
      expect(reader.seen).toEqual([])
      await early.query('COMMIT')
      expect(eventIds(await reader.first(2)).sort()).toEqual([lowerId, higherId].sort())
      await reader.close()

      // A reader that stopped after the first continues with the second.
      const [one, two] = await reader.first(2)
      const resumed = await openInboxReader(ownerAt(service.url, acme), { lastEventId: one!.cursor })
      expect(await resumed.first(1)).toEqual([two])
      await resumed.close()
    })
  })

  test('reads the log ever more rarely while an older transaction holds an event back', async () => {
    await withTwoConnections(async (early) => {
      const reader = await openInboxReader(ownerAt(service.url, acme))
      const reads = vi.spyOn(service.app.service.database, 'inWorkspace')
      onTestFinished(() => void reads.mockRestore())
      await early.query('BEGIN')
      await early.query('SELECT pg_current_xact_id()')
      const taskId = await createTask()
      const countReads = () => reads.mock.calls.filter(([id]) => id === acme.workspaceId).length
      await vi.waitUntil(() => countReads() > 5, waitOptions)
      const before = countReads()
      await sleep(1_000)
      expect(countReads() - before).toBeLessThan(10)
      expect(reader.seen).toEqual([])
      await early.query('COMMIT')
      expect((await reader.first(1))[0]!.event).toMatchObject({ taskId })
      await reader.close()
    })
  })

  test('receives a long backlog of one transaction completely and in order', async () => {
    const after = await eventCursor()
    const count = 450
    await withTwoConnections(async (client) => {
      await client.query('BEGIN')
      for (let i = 0; i < count; i++) await insertEvent(client, acme.workspaceId)
      await client.query('COMMIT')
    })
    const stored = await query<{ eventId: string }>(
      service.databaseUrl,
      `SELECT event_id AS "eventId" FROM events WHERE workspace_id = $1 ORDER BY id DESC LIMIT $2`,
      [acme.workspaceId, count],
    )
    const reader = await openInboxReader(ownerAt(service.url, acme), { after })
    const seen = await reader.first(count)
    expect(eventIds(seen)).toEqual(stored.map(({ eventId }) => eventId).reverse())
    await reader.close()
    const resumed = await openInboxReader(ownerAt(service.url, acme), { lastEventId: seen[199]!.cursor })
    expect(await resumed.first(count - 200)).toEqual(seen.slice(200))
    await resumed.close()
  })

  test('receives every type of event with its content, and none of another workspace', async () => {
    const reader = await openInboxReader(ownerAt(service.url, acme))
    const strangers = await service.workspace()
    await strangers.agent.post('/tasks', taskPayload())
    const taskId = await createTask({ priority: 'urgent', threadId: 'parcel-7', assignTo: acme.ownerEmail })
    await acme.agent.post(`/tasks/${taskId}/updates`, {
      message: 'Weighing it',
      level: 'working',
      progress: 30,
    })
    await acme.owner.post(`/tasks/${taskId}/claim`)
    await acme.owner.delete(`/tasks/${taskId}/claim`)
    await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
    const cancelled = await createTask()
    await acme.agent.post(`/tasks/${cancelled}/cancel`, { reason: 'Solved' })

    const events = (await reader.first(7)).map(({ event }) => event)
    await reader.close()
    for (const event of events) expect(InboxEvent.safeParse(event).error).toBeUndefined()
    expect(events).toMatchObject([
      {
        type: 'service/task_created',
        taskId,
        threadId: 'parcel-7',
        row: {
          taskId,
          name: 'Refund €40?',
          snippet: 'The parcel came back.',
          priority: 'urgent',
          assignedTo: acme.ownerEmail,
        },
      },
      {
        type: 'service/task_updated',
        taskId,
        update: { message: 'Weighing it', level: 'working', progress: 30 },
      },
      { type: 'service/task_claimed', taskId, claim: { name: 'Olga Owner' } },
      { type: 'service/task_released', taskId },
      { type: 'service/task_handled', taskId, handledBy: acme.ownerEmail, actionTitle: 'Approve' },
      { type: 'service/task_created', taskId: cancelled },
      { type: 'service/task_cancelled', taskId: cancelled, threadId: cancelled },
    ])
    const { rows } = (await acme.owner.get('/inbox')).body
    expect(rows.map((row: { taskId: string }) => row.taskId)).not.toContain(taskId)
  })

  test('receives with a created task the same row as the inbox', async () => {
    const reader = await openInboxReader(ownerAt(service.url, acme))
    const taskId = await createTask({ priority: 'low' })
    const [created] = await reader.first(1)
    await reader.close()
    const { rows } = (await acme.owner.get('/inbox')).body
    expect(created!.event.row).toEqual(rows.find((row: { taskId: string }) => row.taskId === taskId))
  })

  test('gets from the inbox a cursor that is the position of an event', async () => {
    expect(await eventCursor()).toMatch(/^[1-9]\d*\.0\.0$/)
    const reader = await openInboxReader(ownerAt(service.url, acme))
    await createTask({ idempotencyKey: 'once' })
    // Rejected calls consume transaction ids that may be reused after a crash, so none of them is a
    // valid position.
    for (let i = 0; i < 3; i++) await createTask({ idempotencyKey: 'once', priority: 'high' })
    const [created] = await reader.first(1)
    expect(await eventCursor()).toBe(created!.cursor)
    await reader.close()
  })

  test('starts over when the event at its cursor was deleted, or at the end of the log when the cursor was ahead', async () => {
    await createTask()
    const end = await vi.waitUntil(async () => {
      const cursor = await eventCursor()
      return !cursor.endsWith('.0.0') && cursor
    }, waitOptions)
    const [epoch, xid, id] = end.split('.').map(Number) as [number, number, number]
    const ahead = [
      `${epoch}.${xid + 1_000_000}.${id}`,
      `${epoch}.${xid}.${id + 1_000}`,
      `${epoch + 5}.${xid}.${id}`,
    ]
    const readers = await Promise.all(
      ahead.map((lastEventId) => openInboxReader(ownerAt(service.url, acme), { lastEventId })),
    )
    for (const reader of readers)
      expect(await reader.first(1)).toMatchObject([{ name: 'start-over', cursor: end }])
    // A cursor between two events can only be that of a deleted one.
    const between = await openInboxReader(ownerAt(service.url, acme), { lastEventId: `${epoch}.1.1` })
    expect(await between.first(2)).toMatchObject([
      { name: 'start-over', cursor: `${epoch}.1.1` },
      { name: 'inbox', cursor: end },
    ])
    await between.close()
    const taskId = await createTask()
    for (const reader of readers) {
      expect((await reader.first(2))[1]).toMatchObject({ name: 'inbox', event: { taskId } })
      await reader.close()
    }
  })

  test('continues when the database does not reveal its timeline', async () => {
    const own = await startService()
    try {
      await query(own.databaseUrl, 'REVOKE EXECUTE ON FUNCTION pg_walfile_name(pg_lsn) FROM PUBLIC')
      acme = await own.workspace()
      const reader = await openInboxReader(ownerAt(own.url, acme), { after: await eventCursor() })
      const taskId = await createTask()
      expect(await reader.first(1)).toMatchObject([{ name: 'inbox', event: { taskId } }])
      await reader.close()
    } finally {
      await own.stop()
    }
  })

  test('gets an error for an invalid cursor, which names where it was sent', async () => {
    const wrong = ['', 'abc', '1.2', '1.2.3.4', '-1.2.3', '1.2.x', `1.2.${'3'.repeat(19)}`, '1.2.3 OR 1=1']
    for (const cursor of wrong) {
      const byHeader = await acme.owner.get('/inbox/events', { 'last-event-id': cursor })
      expect(byHeader).toMatchObject({ status: 400, body: { errors: [{ path: 'Last-Event-ID' }] } })
      if (cursor === '') continue // as a parameter it counts as absent
      const byQuery = await acme.owner.get(`/inbox/events?after=${encodeURIComponent(cursor)}`)
      expect(byQuery).toMatchObject({ status: 400, body: { errors: [{ path: 'after' }] } })
    }
  })
})
