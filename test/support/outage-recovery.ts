import { setTimeout as sleep } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { openInboxReader } from './inbox-reader.ts'
import { openMcpSession, postMcp } from './mcp-session.ts'
import { startReceiver } from './receiver.ts'
import { startRestartablePostgres } from './restartable-postgres.ts'
import { moveClock } from './rows.ts'
import { startService, type TestService, taskPayload } from './service.ts'

const waitOptions = { timeout: 60_000, interval: 100 }

/**
 * Stops PostgreSQL for some seconds under a service with open streams, waits and deliveries, then
 * starts it again. No process is restarted and no client reconnects: open streams and waits
 * continue, and everything acknowledged is still there.
 */
export async function checkOutageRecovery(seconds: number): Promise<void> {
  const postgres = await startRestartablePostgres()
  const receiver = await startReceiver()
  let service: TestService | undefined
  let isSending = true
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
      while (isSending) {
        const { status, body } = await agent.post('/tasks', taskPayload())
        if (status === 201) acknowledged.push(body.taskId)
        else expect([status, body.code]).toEqual([503, 'unavailable'])
        await sleep(100)
      }
    })()
    await vi.waitUntil(() => acknowledged.length > 0, waitOptions)

    await postgres.stop()
    const outage = sleep(seconds * 1000)
    // Checked again after the two seconds for which a valid key is cached.
    for (const isKeyCached of [true, false]) {
      if (!isKeyCached) await sleep(2_100)
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
      for (const { status, headers, body } of [ping, tool].filter((response) => response.status !== 200)) {
        expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true])
        expect(body.error.message).not.toMatch(/ECONN|ENOENT|node_modules| at /)
      }
      // A cached key and session let the call through to the tool, which reports the same problem.
      if (tool.status === 200)
        expect(tool.body.result).toMatchObject({
          isError: true,
          content: [{ text: expect.stringMatching(/unavailable/) }],
        })
      expect((await fetch(`${url}/health`)).status).toBe(503)
    }
    await outage
    await postgres.start()

    await vi.waitFor(async () => expect((await agent.get('/tasks')).status).toBe(200), waitOptions)
    expect((await fetch(`${url}/health`)).status).toBe(200)
    isSending = false
    await sender
    for (const taskId of acknowledged) expect((await agent.get(`/tasks/${taskId}`)).status).toBe(200)

    // Jobs: push, callback, deadline and analysis. Readers: stream, wait and inbox.
    await moveClock(postgres.url, '61 seconds')
    for (const taskId of [pushed, calledBack])
      expect((await owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })).status).toBe(200)
    expect((await wait).body).toMatchObject({ status: 'handled' })
    const [message] = await stream.first(1, waitOptions.timeout)
    expect(message!.message.params.data).toMatchObject({ taskId: pushed, status: 'handled' })
    expect(JSON.parse((await receiver.calls(1))[0]!.body)).toMatchObject({ taskId: calledBack })
    await vi.waitFor(
      async () => expect((await agent.get(`/tasks/${expiring}`)).body.status).toBe('expired'),
      waitOptions,
    )
    expect((await owner.post('/feedback-analyses', { app: 'default', type: 'refund-approval' })).status).toBe(
      202,
    )
    await vi.waitFor(
      async () =>
        expect((await agent.get('/feedback-analyses/latest?type=refund-approval')).body.status).toBe(
          'completed',
        ),
      waitOptions,
    )
    const seen = () => new Set(inbox.seen.map(({ event }) => `${event.type} ${event.taskId}`))
    await vi.waitFor(() => {
      expect(inbox.isOpen() && stream.isOpen()).toBe(true)
      expect(seen()).toContain(`service/task_handled ${calledBack}`)
    }, waitOptions)
    expect(acknowledged.filter((taskId) => !seen().has(`service/task_created ${taskId}`))).toEqual([])
    await inbox.close()
    await stream.close()
  } finally {
    isSending = false
    await Promise.allSettled([sender])
    await service?.stop()
    await receiver.stop()
    await postgres.end()
  }
}
