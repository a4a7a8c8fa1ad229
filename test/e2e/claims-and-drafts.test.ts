import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { lockWaits } from '../support/database-sessions.ts'
import type { Caller } from '../support/http.ts'
import { openInboxReader } from '../support/inbox-reader.ts'
import { asOwner, moveClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

let service: TestService
let acme: TestWorkspace
let mara: Caller & { email: string; cookie: string }
beforeAll(async () => {
  service = await startService()
  acme = await service.workspace()
  mara = await acme.person('member', 'Mara Member')
})
afterAll(() => service?.stop())

let taskId: string
beforeEach(async () => {
  taskId = (await acme.agent.post('/tasks', taskPayload())).body.taskId
})

async function rowFor(person: Caller) {
  const { rows } = (await person.get('/inbox')).body
  return rows.find((row: { taskId: string }) => row.taskId === taskId)
}

describe('a claim', () => {
  const claim = async (person: Caller) => (await person.post(`/tasks/${taskId}/claim`)).body.claim
  const release = async (person: Caller) => (await person.delete(`/tasks/${taskId}/claim`)).status
  const secondsLeft = async (until: string) => {
    const [row] = await query<{ seconds: number }>(
      service.databaseUrl,
      'SELECT extract(epoch FROM $1::timestamptz - app_now())::float AS seconds',
      [until],
    )
    return row!.seconds
  }
  const afterSeconds = (seconds: number) => moveClock(service.databaseUrl, `${seconds} seconds`)
  async function openReader() {
    const reader = await openInboxReader({
      url: service.url,
      workspaceId: acme.workspaceId,
      cookie: acme.owner.cookie,
    })
    const events = () =>
      reader.seen
        .map(({ event }) => event)
        .filter((event) => event.taskId === taskId && event.type !== 'service/task_created')
    return {
      close: reader.close,
      /** The events of this test's task after its creation, once there are `count`. */
      first: (count: number) =>
        vi.waitFor(() => {
          expect(events()).toHaveLength(count)
          return events()
        }, waitOptions),
    }
  }

  test('lasts two minutes, and others see who has the task', async () => {
    const mine = await claim(mara)
    expect(mine).toMatchObject({ name: 'Mara Member', userId: expect.stringMatching(/^usr_/) })
    const left = await secondsLeft(mine.until)
    expect(left).toBeGreaterThan(100)
    expect(left).toBeLessThanOrEqual(120)
    expect((await rowFor(acme.owner)).claim).toEqual(mine)
    await afterSeconds(121)
    expect(await rowFor(acme.owner)).not.toHaveProperty('claim')
    expect(await claim(acme.owner)).toMatchObject({ name: 'Olga Owner' })
  })

  test('belongs to the first person, and never blocks an answer', async () => {
    const mine = await claim(mara)
    expect(await claim(acme.owner)).toEqual(mine)
    expect(await release(acme.owner)).toBe(204) // only its holder can release it
    expect((await rowFor(acme.owner)).claim).toEqual(mine)
    const answered = await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
    expect(answered).toMatchObject({ status: 200, body: { handled: { handledBy: acme.ownerEmail } } })
    expect(await mara.post(`/tasks/${taskId}/claim`)).toMatchObject({
      status: 409,
      body: { code: 'task_not_open', handledBy: acme.ownerEmail },
    })
  })

  test('can be released by its holder', async () => {
    await claim(mara)
    expect(await release(mara)).toBe(204)
    expect(await release(mara)).toBe(204)
    expect(await rowFor(acme.owner)).not.toHaveProperty('claim')
    expect(await claim(acme.owner)).toMatchObject({ name: 'Olga Owner' })
  })

  test('is granted to one of two people who open the task at once', async () => {
    const reader = await openReader()
    const claims = await Promise.all([mara, acme.owner, mara, acme.owner].map(claim))
    expect(new Set(claims.map(({ userId }) => userId)).size).toBe(1)
    await release(mara)
    await release(acme.owner)
    expect((await reader.first(2)).map(({ type }) => type)).toEqual([
      'service/task_claimed',
      'service/task_released',
    ])
    await reader.close()
  })

  test('is renewed while the task stays open, and inbox readers are notified', async () => {
    const reader = await openReader()
    const first = await claim(mara)
    // Focusing the window again a few seconds later does not renew the claim.
    await afterSeconds(5)
    expect(await claim(mara)).toEqual(first)
    await afterSeconds(60)
    const second = await claim(mara)
    expect(await secondsLeft(second.until)).toBeGreaterThan(100)
    await afterSeconds(60)
    const third = await claim(mara)
    expect((await rowFor(acme.owner)).claim).toEqual(third)
    await release(mara)
    const events = await reader.first(4)
    expect(events.map((event) => event.claim)).toEqual([first, second, third, undefined])
    expect(events.at(-1)!.type).toBe('service/task_released')
    await reader.close()
  })

  test('ends with the membership of its holder', async () => {
    const leaver = await acme.person('member', 'Lea Leaver')
    const { userId } = await claim(leaver)
    expect((await acme.owner.delete(`/members/${userId}`)).status).toBe(204)
    expect(await rowFor(acme.owner)).not.toHaveProperty('claim')
    expect(await claim(mara)).toMatchObject({ name: 'Mara Member' })
  })

  test('of someone else is returned even if it ends while it is looked up', async () => {
    const theirs = await claim(mara)
    let mine: ReturnType<typeof claim> | undefined
    await asOwner(service.databaseUrl, async (client) => {
      await client.query('BEGIN')
      await client.query('SELECT FROM claims WHERE task_id = $1 FOR UPDATE', [taskId])
      mine = claim(acme.owner)
      await vi.waitFor(async () => expect(await lockWaits(service.databaseUrl)).toBe(1), waitOptions)
      await afterSeconds(121)
      await client.query('COMMIT')
    })
    expect(await mine).toEqual(theirs)
  })

  test('requires an existing open task', async () => {
    const nowhere = '/tasks/tsk_01k9ztqv7e4m8c2n5w6x3y0abd/claim'
    expect((await mara.post(nowhere)).status).toBe(404)
    expect((await mara.delete(nowhere)).status).toBe(404)
  })
})

describe('a draft', () => {
  const draftsOf = async (person: Caller) => (await person.get(`/tasks/${taskId}/drafts`)).body.drafts
  const save = (person: Caller, actionId: string, data: unknown) =>
    person.put(`/tasks/${taskId}/drafts/${encodeURIComponent(actionId)}`, { data })

  test('is stored as typed, complete or not, one per action', async () => {
    const data = { reason: 'Erst mal …\n\t"so"', zebra: 1, alpha: { y: [], x: null } }
    const saved = await save(mara, 'decline', data)
    expect(saved).toMatchObject({ status: 200, body: { actionId: 'decline', data } })
    expect(JSON.stringify(saved.body.data)).toBe(JSON.stringify(data))
    await save(mara, 'approve', {})
    await save(mara, 'decline', { ...data, reason: 'Later' })
    expect(await draftsOf(mara)).toMatchObject([
      { actionId: 'approve', data: {} },
      { actionId: 'decline', data: { reason: 'Later' } },
    ])
    expect((await mara.delete(`/tasks/${taskId}/drafts/decline`)).status).toBe(204)
    expect(await draftsOf(mara)).toMatchObject([{ actionId: 'approve' }])
  })

  test('belongs to the revision whose form was filled in, which exists', async () => {
    const path = `/tasks/${taskId}/drafts/decline`
    const revisionOf = async () => (await draftsOf(mara))[0].revision
    await mara.put(path, { data: {} })
    expect(await revisionOf()).toBe(1)
    const revised = { message: 'Corrected', revision: { task: { name: 'Corrected' } } }
    expect((await acme.agent.post(`/tasks/${taskId}/updates`, revised)).status).toBe(201)
    // Still typed in the form of the first revision.
    expect((await mara.put(path, { data: { reason: 'A' }, revision: 1 })).body.revision).toBe(1)
    expect((await mara.put(path, { data: { reason: 'B' }, revision: 2 })).body.revision).toBe(2)
    expect(await revisionOf()).toBe(2)
    expect((await mara.put(path, { data: {}, revision: 2 ** 40 })).body.revision).toBe(2)
    expect((await mara.put(path, { data: {}, revision: 0 })).status).toBe(400)
  })

  test('of a rejection is stored like any other', async () => {
    const data = { feedback: 'Say which invoice' }
    expect((await save(mara, 'service:reject-request', data)).status).toBe(200)
    expect(await draftsOf(mara)).toMatchObject([{ actionId: 'service:reject-request', data }])
    expect((await save(mara, 'service:mark-done', {})).status).toBe(404)
  })

  test('is visible only to its author, also in the list', async () => {
    await save(mara, 'decline', { reason: 'Hm' })
    expect(await draftsOf(acme.owner)).toEqual([])
    expect((await rowFor(mara)).hasDraft).toBe(true)
    expect((await rowFor(acme.owner)).hasDraft).toBe(false)
    expect((await acme.owner.delete(`/tasks/${taskId}/drafts/decline`)).status).toBe(204)
    expect(await draftsOf(mara)).toHaveLength(1)
  })

  test('is deleted when its author answers, and kept when a colleague answers', async () => {
    await save(mara, 'decline', { reason: 'Half a sent' })
    await save(acme.owner, 'decline', { reason: 'Whole' })
    await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
    expect(await draftsOf(acme.owner)).toEqual([])
    expect(await draftsOf(mara)).toMatchObject([{ data: { reason: 'Half a sent' } }])
    expect(await save(mara, 'decline', { reason: 'Half a sentence' })).toMatchObject({
      status: 409,
      body: { code: 'task_not_open' },
    })
  })

  test('is not stored for a task that ends while it is saved', async () => {
    let saving: ReturnType<typeof save> | undefined
    await asOwner(service.databaseUrl, async (client) => {
      await client.query('BEGIN; LOCK TABLE drafts')
      saving = save(mara, 'decline', { reason: 'Too late' })
      await vi.waitFor(async () => expect(await lockWaits(service.databaseUrl)).toBe(1), waitOptions)
      expect((await acme.agent.post(`/tasks/${taskId}/cancel`, {})).status).toBe(200)
      await client.query('COMMIT')
    })
    expect(await saving).toMatchObject({ status: 409, body: { code: 'task_not_open' } })
    expect(await draftsOf(mara)).toEqual([])
  })

  test('is rejected for an unknown action and when it is too large', async () => {
    expect((await save(mara, 'nothing', {})).status).toBe(404)
    expect((await save(mara, 'decline', 'text')).status).toBe(400)
    expect(await save(mara, 'decline', { reason: 'x'.repeat(256 * 1024) })).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' },
    })
    expect(await draftsOf(mara)).toEqual([])
  })
})
