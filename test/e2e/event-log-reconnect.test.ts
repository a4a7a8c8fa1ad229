import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventIds, openInboxReader, ownerAt, type ReadEvent } from '../support/inbox-reader.ts'
import { agentAt } from '../support/nodes.ts'
import {
  createMigratedDatabase,
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
} from '../support/service.ts'
import { query } from '../support/sql.ts'

describe('a reader that reconnects', () => {
  let service: TestService
  let node: TestService | undefined
  let acme: TestWorkspace
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await createMigratedDatabase()
    drop = database.drop
    service = await startService({ DATABASE_URL: database.url })
    node = await startService({ DATABASE_URL: database.url })
    acme = await service.workspace()
  })
  afterAll(async () => {
    await node?.stop()
    await service?.stop()
    await drop?.()
  })

  test('misses and repeats nothing, by header or parameter, at another node, across a restart', async () => {
    const start = (await acme.owner.get('/inbox')).body.eventCursor as string
    let writing = true
    const written: string[] = []
    const writers = [0, 1, 2].map(async (writer) => {
      while (writing) {
        // One service restarts; its writers continue afterwards.
        const url = writer % 2 === 0 ? node!.url : service.url
        const answer = await agentAt(url, acme)
          .post('/tasks', taskPayload())
          .catch(() => undefined)
        if (answer?.status === 201) written.push(answer.body.taskId)
        else await sleep(20)
      }
    })

    const seen: ReadEvent[] = []
    for (let turn = 0; turn < 12; turn++) {
      if (turn === 5) {
        const { databaseUrl } = service
        await service.stop()
        service = await startService({ DATABASE_URL: databaseUrl })
      }
      const cursor = seen.at(-1)?.cursor ?? start
      const url = turn % 2 === 0 ? service.url : node!.url
      const reader = await openInboxReader(
        ownerAt(url, acme),
        // EventSource sends both after a lost connection; the header is newer.
        [{ after: cursor }, { lastEventId: cursor }, { after: start, lastEventId: cursor }][turn % 3],
      )
      await reader.first(1 + turn * 3)
      await reader.close()
      seen.push(...reader.seen)
    }
    writing = false
    await Promise.all(writers)

    const stored = await query<{ eventId: string; taskId: string }>(
      service.databaseUrl,
      `SELECT event_id AS "eventId", task_id AS "taskId" FROM events WHERE workspace_id = $1 ORDER BY epoch, xid, id`,
      [acme.workspaceId],
    )
    const last = await openInboxReader(ownerAt(service.url, acme), { after: seen.at(-1)!.cursor })
    seen.push(...(await last.first(stored.length - seen.length)))
    await last.close()
    expect(eventIds(seen)).toEqual(stored.map(({ eventId }) => eventId))
    expect(stored.map(({ taskId }) => taskId)).toEqual(expect.arrayContaining(written))
    expect(written.length).toBeGreaterThan(50)
  })

  test('keeps its position when the database was restored into a newer cluster', async () => {
    const { databaseUrl } = service
    const older = await query<{ epoch: number; id: string; xid: string; eventId: string }>(
      databaseUrl,
      `SELECT epoch, id, xid, event_id AS "eventId" FROM events WHERE workspace_id = $1 ORDER BY epoch, xid, id`,
      [acme.workspaceId],
    )
    await node!.stop()
    node = undefined
    await service.stop()
    // As after a restore: the stored events come from a cluster with higher transaction ids.
    const ahead = 1_000_000_000n
    await query(databaseUrl, `UPDATE events SET xid = xid + ${ahead}`)
    const half = Math.floor(older.length / 2)
    const last = older[half - 1]!
    const cursor = `${last.epoch}.${BigInt(last.xid) + ahead}.${last.id}`

    for (const start of ['first', 'second']) {
      if (start === 'second') await service.stop()
      service = await startService({ DATABASE_URL: databaseUrl })
      const facts = await query(databaseUrl, `SELECT value FROM service_facts WHERE name = 'epoch'`)
      expect({ start, facts }).toEqual({ start, facts: [{ value: '2' }] })
      for (let i = 0; i < 3; i++) {
        expect((await agentAt(service.url, acme).post('/tasks', taskPayload())).status).toBe(201)
      }
    }

    const reader = await openInboxReader(ownerAt(service.url, acme), { lastEventId: cursor })
    const [first, ...seen] = await reader.first(older.length - half + 7)
    expect(first).toMatchObject({ name: 'start-over', cursor })
    await sleep(200)
    expect(reader.seen).toHaveLength(older.length - half + 7)
    await reader.close()
    expect(eventIds(seen).slice(0, -6)).toEqual(older.slice(half).map(({ eventId }) => eventId))
    expect(seen.slice(-6).every(({ cursor: late }) => late.startsWith(`${last.epoch + 1}.`))).toBe(true)
  })
})
