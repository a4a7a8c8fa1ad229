import { setTimeout as sleep } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { openInboxReader } from './inbox-reader.ts'
import { openMcpSession, postMcp } from './mcp-session.ts'
import { startMortalPostgres } from './mortal-postgres.ts'
import { startReceiver } from './receiver.ts'
import { moveClock } from './rows.ts'
import { startService, type TestService, taskPayload } from './service.ts'

const patience = { timeout: 60_000, interval: 100 }

/**
 * PostgreSQL is stopped for a while under a service with open streams, waits and tasks on their way, and started again.
 * Nobody is restarted or connects anew: what was open goes on, what was acknowledged is there.
 */
export async function liveThroughOutage(seconds: number): Promise<void> {
  const postgres = await startMortalPostgres()
  const receiver = await startReceiver()
  let service: TestService | undefined
  let sending = true
  let sender: Promise<void> | undefined
  try {
    service = await startService({ DATABASE_URL: postgres.url, CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' })
    const { url } = service
    const acme = await service.workspace()
    const { agent, owner } = acme
    const session = await openMcpSession(url, acme.apiKey)
    const create = async (more: Record<string, unknown> = {}): Promise<string> =>
      (await session.call('send_to_human', taskPayload(more))).structuredContent.taskId

    const pushed = await create({ delivery: 'sse' })
    const calledBack = await create({ callbackUrl: `${receiver.url}/hook` })
    const expiring = await create({ expiresInSeconds: 60 })
    const inbox = await openInboxReader({ url, workspaceId: acme.workspaceId, cookie: owner.cookie })
    const stream = await session.stream()
    const wait = agent.get(`/tasks/${pushed}?waitSeconds=50`)

    const acknowledged: string[] = []
    sender = (async () => {
      while (sending) {
        const { status, body } = await agent.post('/tasks', taskPayload())
        if (status === 201) acknowledged.push(body.taskId)
        else expect([status, body.code]).toEqual([503, 'unavailable'])
        await sleep(20)
      }
    })()
    await vi.waitUntil(() => acknowledged.length > 0, patience)

    await postgres.stop()
    const isLongEnough = sleep(seconds * 1000)
    // Asked once more after the two seconds for which a good key is remembered.
    for (const round of ['at once', 'later']) {
      if (round === 'later') await sleep(2_100)
      const refused = [
        await agent.get('/tasks'),
        await owner.get('/inbox'),
        await owner.post(`/tasks/${pushed}/handle`, { actionId: 'approve' }),
      ]
      for (const { status, body, headers } of refused) {
        expect(body).toMatchObject({
          status: 503,
          code: 'unavailable',
          detail: expect.stringMatching(/again/),
        })
        expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true])
      }
      const ping = await postMcp(url, { jsonrpc: '2.0', id: 9, method: 'ping' }, session.identity)
      const tool = await session.request('tools/call', { name: 'list_tasks', arguments: {} })
      for (const { status, headers, body } of [ping, tool].filter((answer) => answer.status !== 200)) {
        expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true])
        expect(body.error.message).not.toMatch(/ECONN|ENOENT|node_modules| at /)
      }
      // A key and a session that are still remembered let the call through to the tool, which says the same.
      if (tool.status === 200)
        expect(tool.body.result.structuredContent).toMatchObject({ code: 'unavailable' })
      expect((await fetch(`${url}/health`)).status).toBe(503)
    }
    await isLongEnough
    await postgres.start()

    await vi.waitFor(async () => expect((await agent.get('/tasks')).status).toBe(200), patience)
    expect((await fetch(`${url}/health`)).status).toBe(200)
    sending = false
    await sender
    for (const taskId of acknowledged) expect((await agent.get(`/tasks/${taskId}`)).status).toBe(200)

    // Workers: push, callback, deadline and analysis; readers: stream, wait, inbox.
    await moveClock(postgres.url, '61 seconds')
    for (const taskId of [pushed, calledBack])
      expect((await owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })).status).toBe(200)
    expect((await wait).body).toMatchObject({ status: 'handled' })
    const [message] = await stream.first(1, patience.timeout)
    expect(message!.message.params.data).toMatchObject({ taskId: pushed, status: 'handled' })
    expect(JSON.parse((await receiver.calls(1))[0]!.body)).toMatchObject({ taskId: calledBack })
    await vi.waitFor(
      async () => expect((await agent.get(`/tasks/${expiring}`)).body.status).toBe('expired'),
      patience,
    )
    expect((await owner.post('/feedback-analyses', { app: 'default', type: 'refund-approval' })).status).toBe(
      202,
    )
    await vi.waitFor(
      async () =>
        expect((await agent.get('/feedback-analyses/latest?type=refund-approval')).body.status).toBe(
          'completed',
        ),
      patience,
    )
    const seen = () => new Set(inbox.seen.map(({ event }) => `${event.type} ${event.taskId}`))
    await vi.waitFor(() => {
      expect(inbox.isOpen() && stream.isOpen()).toBe(true)
      expect(seen()).toContain(`service/task_handled ${calledBack}`)
    }, patience)
    expect(acknowledged.filter((taskId) => !seen().has(`service/task_created ${taskId}`))).toEqual([])
    await inbox.close()
    await stream.leave()
  } finally {
    sending = false
    await Promise.allSettled([sender])
    await service?.stop()
    await receiver.stop()
    await postgres.end()
  }
}
