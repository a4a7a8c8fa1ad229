import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openInboxReader } from '../support/inbox-reader.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

describe('a stream ends with the right to hear it', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
  })
  afterAll(() => service?.stop())

  test('for who signed out and who was removed, within a heartbeat; a colleague goes on listening', async () => {
    const leaver = await acme.person('member', 'Lea Leaver')
    const removed = await acme.person('member', 'Remo Removed')
    const listen = ({ cookie }: { cookie: string }) =>
      openInboxReader({ url: service.url, workspaceId: acme.workspaceId, cookie })
    const streams = {
      leaver: await listen(leaver),
      removed: await listen(removed),
      owner: await listen(acme.owner),
    }

    const signOut = await fetch(`${service.url}/api/auth/sign-out`, {
      method: 'POST',
      headers: { cookie: leaver.cookie, origin: service.url, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(signOut.status).toBe(200)
    const { members } = (await acme.owner.get('/members')).body
    const { userId } = members.find(({ email }: { email: string }) => email === removed.email)
    expect((await acme.owner.delete(`/members/${userId}`)).status).toBe(204)

    // The heartbeat is 15 s; the test's own time limit says when it is too late.
    await Promise.all([streams.leaver.ended, streams.removed.ended])
    expect((await leaver.get('/inbox/events')).status).toBe(401)
    expect((await removed.get('/inbox/events')).status).toBe(404)
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    expect((await streams.owner.first(1))[0]!.event.taskId).toBe(taskId)
    await streams.owner.close()
  })
})
