import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { callAs } from '../support/http.ts'
import { openInboxReader } from '../support/inbox-reader.ts'
import { openMcpSession } from '../support/mcp-session.ts'
import { moveClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

/** Fails if something that must end early is still held after 40 s; a wait alone would end after 50 s. */
async function endsEarly<T>(what: Promise<T>): Promise<T> {
  const timedOut = sleep(waitOptions.timeout, undefined, { ref: false }).then(() => {
    throw new Error('It is still held.')
  })
  return await Promise.race([what, timedOut])
}

describe('revoked access ends open streams and waits', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
  })
  afterAll(() => service?.stop())

  const listen = ({ cookie }: { cookie: string }) =>
    openInboxReader({ url: service.url, workspaceId: acme.workspaceId, cookie })
  const newTask = async () => (await acme.agent.post('/tasks', taskPayload())).body.taskId as string
  const newKey = async (more = {}) =>
    (await acme.owner.post('/api-keys', { name: 'agent', ...more })).body as { keyId: string; key: string }
  const signOut = (cookie: string) =>
    fetch(`${service.url}/api/auth/sign-out`, {
      method: 'POST',
      headers: { cookie, origin: service.url, 'content-type': 'application/json' },
      body: '{}',
    })
  const remove = async (email: string) => {
    const { members } = (await acme.owner.get('/members')).body
    const { userId } = members.find((member: { email: string }) => member.email === email)
    expect((await acme.owner.delete(`/members/${userId}`)).status).toBeLessThan(300)
  }
  const openWaits = async () => (await service.app.service.metrics.waits.get()).values[0]?.value

  test('streams end for people who signed out or were removed; a colleague’s stream continues', async () => {
    const leaver = await acme.person('member', 'Lea Leaver')
    const removed = await acme.person('member', 'Remo Removed')
    const streams = {
      leaver: await listen(leaver),
      removed: await listen(removed),
      owner: await listen(acme.owner),
    }
    expect((await signOut(leaver.cookie)).status).toBe(200)
    await remove(removed.email)
    await endsEarly(Promise.all([streams.leaver.ended, streams.removed.ended]))
    expect((await leaver.get('/inbox/events')).status).toBe(401)
    expect((await removed.get('/inbox/events')).status).toBe(404)
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    expect((await streams.owner.first(1))[0]!.event.taskId).toBe(taskId)
    await streams.owner.close()
  })

  test('waits end for a revoked key, an expired key and a removed member, without revealing the task', async () => {
    const revoked = await newKey()
    const expiring = await newKey({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
    const member = await acme.person('member', 'Wanda Waiting')
    const path = `/tasks/${await newTask()}?waitSeconds=50`
    const session = await openMcpSession(service.url, revoked.key)
    const tool = session.call('get_task', { taskId: await newTask(), waitSeconds: 50 })
    const waits = {
      revoked: callAs(service.url, { 'x-api-key': revoked.key }).get(path),
      expiring: callAs(service.url, { 'x-api-key': expiring.key }).get(path),
      member: member.get(path),
      other: acme.agent.get(path),
    }
    await expect.poll(openWaits).toBe(5)

    await acme.owner.delete(`/api-keys/${revoked.keyId}`)
    await remove(member.email)
    await moveClock(service.databaseUrl, '2 hours')
    expect(await endsEarly(waits.revoked)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    expect(await endsEarly(waits.expiring)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    expect(await endsEarly(waits.member)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    const { isError, content } = await endsEarly(tool)
    expect({ isError, ...JSON.parse(content[0].text) }).toMatchObject({
      isError: true,
      code: 'unauthenticated',
    })

    // A caller that still has access continues to wait and gets the answer.
    await acme.owner.post(`${path.split('?')[0]}/mark-done`)
    expect(await waits.other).toMatchObject({ status: 200, body: { status: 'handled' } })
    await expect.poll(openWaits).toBe(0)
  })

  test('a wait that ends right after its caller was removed does not reveal the task', async () => {
    const member = await acme.person('member', 'Rita Removed')
    const taskId = await newTask()
    const wait = member.get(`/tasks/${taskId}?waitSeconds=50`)
    await expect.poll(openWaits).toBe(1)
    await remove(member.email)
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    expect(await endsEarly(wait)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('a person can open ten streams; the next gets Retry-After and is accepted once one is closed', async () => {
    const person = await acme.person('member', 'Tara Tabs')
    const streams = await Promise.all(Array.from({ length: 10 }, () => listen(person)))
    const refused = await person.get('/inbox/events')
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await person.get('/inbox')).status).toBe(200)
    const colleague = await listen(acme.owner)
    await streams.pop()!.close()
    const next = await vi.waitFor(() => listen(person), waitOptions)
    await Promise.all([...streams, colleague, next].map((stream) => stream.close()))
  })

  test('a HEAD request opens no stream', async () => {
    const person = await acme.person('member', 'Hedda Head')
    const url = `${service.url}/api/v1/inbox/events?workspace=${acme.workspaceId}`
    for (let time = 0; time < 11; time++) {
      const { status } = await fetch(url, { method: 'HEAD', headers: { cookie: person.cookie } })
      expect(status).toBe(200)
    }
    await (await listen(person)).close()
  })
})
