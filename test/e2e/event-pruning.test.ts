import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pruneEvents } from '../../src/server/domain/tasks/prune-events.ts'
import { pruneEvents as pruneBatch } from '../../src/server/storage/events/event-pruning.ts'
import { settledEventCursor } from '../support/event-cursor.ts'
import { openInboxReader, ownerAt } from '../support/inbox-reader.ts'
import { moveClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'

describe('events older than 30 days', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
  })
  afterAll(() => service?.stop())

  const createTask = async () => (await acme.agent.post('/tasks', taskPayload())).body.taskId as string
  const eventCursor = async () => (await acme.owner.get('/inbox')).body.eventCursor as string
  const settledCursor = () => settledEventCursor(service.databaseUrl, acme)
  const prune = () => pruneEvents(service.app.service, new AbortController().signal)
  const countEvents = async () =>
    (await query<{ count: number }>(service.databaseUrl, 'SELECT count(*)::integer AS count FROM events'))[0]!
      .count

  test('are deleted; a reader with an older cursor starts over, and no other is affected', async () => {
    const reader = await openInboxReader(ownerAt(service.url, acme))
    const old = await createTask()
    const [first] = await reader.first(1)
    await reader.close()
    // More than one batch.
    await query(
      service.databaseUrl,
      `INSERT INTO events (workspace_id, event_id, type, task_id, thread_id, body)
       SELECT $1, 'evt_' || n, 'service/task_released', $2, $2, '{}' FROM generate_series(1, 1200) n`,
      [acme.workspaceId, old],
    )
    await prune()
    expect(await countEvents()).toBe(1_201)

    await moveClock(service.databaseUrl, '31 days')
    await createTask()
    const newest = await settledCursor()
    await createTask()
    await settledCursor()
    await prune()
    expect(await countEvents()).toBe(2)

    const behind = await openInboxReader(ownerAt(service.url, acme), { lastEventId: first!.cursor })
    const [startOver] = await behind.first(1)
    expect(startOver).toMatchObject({ name: 'start-over', event: {} })
    const current = await openInboxReader(ownerAt(service.url, acme), { lastEventId: newest })
    const next = await createTask()
    expect((await behind.first(2))[1]).toMatchObject({ name: 'inbox', event: { taskId: next } })
    expect((await current.first(2)).map(({ name }) => name)).toEqual(['inbox', 'inbox'])
    const resumed = await openInboxReader(ownerAt(service.url, acme), { lastEventId: startOver!.cursor })
    expect((await resumed.first(1))[0]!.event.taskId).toBe(next)
    await Promise.all([behind, current, resumed].map((open) => open.close()))

    const { entries } = (await acme.owner.get(`/threads/${old}/timeline`)).body
    expect(entries).toMatchObject([{ kind: 'created', taskId: old }])
    expect((await acme.owner.get('/inbox')).body.counts.open).toBe(4)
  })

  test('of a quiet workspace are deleted except the newest, from which its readers continue', async () => {
    const cursor = await settledCursor()
    await moveClock(service.databaseUrl, '31 days')
    await prune()
    await prune()
    expect(await countEvents()).toBe(1)
    expect(await eventCursor()).toBe(cursor)
    const reader = await openInboxReader(ownerAt(service.url, acme), { after: cursor })
    const taskId = await createTask()
    expect(await reader.first(1)).toMatchObject([{ name: 'inbox', event: { taskId } }])
    await reader.close()
  })

  test('that another process is deleting are left to it', async () => {
    const { database } = service.app.service
    await createTask()
    await settledCursor()
    await moveClock(service.databaseUrl, '31 days')
    const before = await countEvents()
    await database.inWorkspace(acme.workspaceId, async (tx) => {
      expect(await pruneBatch(tx, 30, 1)).toBe(1)
      await prune()
      expect(await countEvents()).toBe(before)
    })
    expect(await countEvents()).toBe(before - 1)
    await prune()
    expect(await countEvents()).toBe(1)
  })

  test('are deleted also after the deletion has failed in another workspace', async () => {
    const other = await service.workspace()
    for (const { agent } of [acme, acme, other, other]) await agent.post('/tasks', taskPayload())
    await settledCursor()
    await moveClock(service.databaseUrl, '31 days')
    const { database, ...others } = service.app.service
    let failed: string | undefined
    const inWorkspace: typeof database.inWorkspace = async (workspaceId, work) => {
      failed ??= workspaceId
      if (workspaceId === failed) throw new Error('This workspace is damaged.')
      return await database.inWorkspace(workspaceId, work)
    }
    await pruneEvents({ ...others, database: { ...database, inWorkspace } }, new AbortController().signal)
    const left = await query<{ workspaceId: string }>(
      service.databaseUrl,
      'SELECT workspace_id AS "workspaceId" FROM events GROUP BY 1 HAVING count(*) > 1',
    )
    expect(left).toEqual([{ workspaceId: failed }])
  })
})
