import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { type InboxReader, openInboxReader } from '../support/inbox-reader.ts'
import { type McpSession, openMcpSession } from '../support/mcp-session.ts'
import type { openMcpStream } from '../support/mcp-stream.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { killPrimary, startPrimaryAndStandby } from '../support/standby.ts'
import { waitOptions } from '../support/wait-options.ts'

const createdIn = (reader: InboxReader) =>
  reader.seen.filter(({ event }) => event.type === 'service/task_created').map(({ event }) => event.taskId)

describe('after the promotion of a standby that was behind', () => {
  let servers: Awaited<ReturnType<typeof startPrimaryAndStandby>>
  let proxy: Awaited<ReturnType<typeof startDatabaseProxy>>
  let service: TestService
  let acme: TestWorkspace
  let session: McpSession
  let pushes: Awaited<ReturnType<typeof openMcpStream>>
  let open: InboxReader
  let waiting: Promise<{ status: number; body: { status: string } }>
  /** Exists on both servers, and is answered twice: the first answer is lost. */
  let pushedTask: string
  let waitedTask: string
  /** Tasks that all readers have seen and that are lost. */
  let lost: string[]
  let cursorBefore: string
  let written: string[]

  const listener = () => ({ url: service.url, workspaceId: acme.workspaceId, cookie: acme.owner.cookie })
  const create = async (more = {}) =>
    (await vi.waitUntil(async () => {
      const { status, body } = await acme.agent.post('/tasks', taskPayload(more))
      return status === 201 && body.taskId
    }, waitOptions)) as string
  const createThree = async () => [await create(), await create(), await create()]

  beforeAll(async () => {
    servers = await startPrimaryAndStandby()
    const { primary, standby } = servers
    proxy = await startDatabaseProxy(primary.url)
    service = await startService({ DATABASE_URL: proxy.url })
    acme = await service.workspace()
    session = await openMcpSession(service.url, acme.apiKey)
    pushes = await session.stream()
    pushedTask = (await session.call('send_to_human', taskPayload({ delivery: 'sse' }))).structuredContent
      .taskId
    waitedTask = await create()
    open = await openInboxReader(listener())
    await standby.catchUp()

    await standby.stopReplication()
    lost = [...(await createThree()), ...(await createThree())]
    expect((await acme.owner.post(`/tasks/${pushedTask}/handle`, { actionId: 'approve' })).status).toBe(200)
    await pushes.first(1)
    await open.first(lost.length + 1)
    waiting = acme.agent.get(`/tasks/${waitedTask}?waitSeconds=50`)
    cursorBefore = (await acme.owner.get('/inbox')).body.eventCursor
    await proxy.cut()
    await killPrimary(primary)

    await standby.promote()
    proxy.redirectTo(standby.url())
    await proxy.restore()
    written = await createThree()
  })
  afterAll(async () => {
    await open?.close()
    await service?.stop()
    await proxy?.cut()
    await servers?.standby.end()
    await servers?.primary.end()
  })

  test('an open stream sends start-over, then every new event', async () => {
    // Transaction ids are reused: without a new epoch these events would be before its position.
    const [ids] = await query<{ reused: boolean }>(
      servers.standby.url(),
      'SELECT min(xid) <= $1 AS reused FROM events WHERE task_id = ANY ($2)',
      [cursorBefore.split('.')[1], written],
    )
    expect(ids!.reused).toBe(true)
    // An event from before its cursor may be sent again.
    const afterCursor = () => createdIn(open).filter((taskId) => ![pushedTask, waitedTask].includes(taskId))
    await vi.waitFor(() => expect(afterCursor()).toEqual([...lost, ...written]), waitOptions)
    const names = open.seen.slice(-1 - written.length).map(({ name }) => name)
    expect(names).toEqual(['start-over', 'inbox', 'inbox', 'inbox'])
  })

  test('a reader that reconnects with an older cursor sees every new event', async () => {
    const lastSeen = open.seen[lost.length]!.cursor
    for (const cursor of [{ lastEventId: lastSeen }, { after: cursorBefore }]) {
      const reader = await openInboxReader(listener(), cursor)
      await reader.first(1 + written.length)
      expect(reader.seen[0]!.name).toBe('start-over')
      expect(createdIn(reader)).toEqual(written)
      await reader.close()
    }
  })

  test('a page that was reloaded continues without starting over again', async () => {
    const { rows, eventCursor } = (await acme.owner.get('/inbox')).body
    const listed = rows.map((row: { taskId: string }) => row.taskId)
    expect(listed).toEqual(expect.arrayContaining([pushedTask, ...written]))
    expect(listed.filter((taskId: string) => lost.includes(taskId))).toEqual([])
    const reader = await openInboxReader(listener(), { after: eventCursor })
    const taskId = await create()
    expect(await reader.first(1)).toMatchObject([{ name: 'inbox', event: { taskId } }])
    await reader.close()
  })

  test('a repeated answer is pushed to an open MCP stream and to one that resumes', async () => {
    const [before] = await pushes.first(1)
    expect((await acme.owner.post(`/tasks/${pushedTask}/handle`, { actionId: 'approve' })).status).toBe(200)
    const [, again] = await pushes.first(2)
    expect(again!.message.params.data).toMatchObject({ taskId: pushedTask, status: 'handled' })
    const resumed = await session.stream(before!.id)
    expect((await resumed.first(1))[0]!.id).toBe(again!.id)
    await resumed.close()
  })

  test('a wait from before the promotion ends with the answer', async () => {
    expect((await acme.owner.post(`/tasks/${waitedTask}/handle`, { actionId: 'approve' })).status).toBe(200)
    expect((await waiting).body).toMatchObject({ status: 'handled' })
  })

  test('a quiet workspace starts over once and continues from the beginning of the epoch', async () => {
    const quiet = await service.workspace()
    const { eventCursor } = (await quiet.owner.get('/inbox')).body
    expect(eventCursor).toMatch(/^2\.0\.0$/)
    const reader = await openInboxReader(
      { url: service.url, workspaceId: quiet.workspaceId, cookie: quiet.owner.cookie },
      { lastEventId: '1.0.0' },
    )
    await reader.first(1)
    await quiet.agent.post('/tasks', taskPayload())
    await reader.first(2)
    await quiet.agent.post('/tasks', taskPayload())
    expect((await reader.first(3)).map(({ name }) => name)).toEqual(['start-over', 'inbox', 'inbox'])
    await reader.close()
  })
})
