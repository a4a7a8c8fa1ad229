import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { maxSearchCount } from '../../src/contract/inbox.ts'
import { limits } from '../../src/contract/limits.ts'
import { erasePeople } from '../../src/server/domain/workspaces/erase-people.ts'
import { lockWaits } from '../support/database-sessions.ts'
import { openInboxReader } from '../support/inbox-reader.ts'
import { asOwner, moveClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { passTime } from '../support/sweeps.ts'
import { waitOptions } from '../support/wait-options.ts'

type Someone = Awaited<ReturnType<TestWorkspace['person']>>
type Row = { taskId: string; priority: string; snoozedUntil?: string }

const hour = 60 * 60_000
const day = 24 * hour

describe('a snoozed task is hidden from one person', () => {
  let service: TestService
  let acme: TestWorkspace
  let [ana, ben] = [] as unknown as [Someone, Someone]
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    ana = await acme.person('member', 'Ana')
    ben = await acme.person('member', 'Ben')
  })
  afterAll(() => service.stop())

  const send = async (more: Record<string, unknown> = {}) => {
    const created = await acme.agent.post('/tasks', taskPayload(more))
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    return created.body.taskId as string
  }
  /** By the clock of the database, which some tests move. */
  const fromNow = async (milliseconds: number) => {
    const [row] = await query<{ now: Date }>(service.databaseUrl, 'SELECT app_now() AS now')
    return new Date(row!.now.getTime() + milliseconds).toISOString()
  }
  const snooze = async (who: Pick<Someone, 'put'>, taskId: string, milliseconds = hour) =>
    await who.put(`/tasks/${taskId}/snooze`, { until: await fromNow(milliseconds) })
  const snoozed = async (more: Record<string, unknown> = {}) => {
    const taskId = await send(more)
    expect((await snooze(ana, taskId)).status).toBe(200)
    expect(await isListed(ana, taskId)).toBe(false)
    return taskId
  }
  const inbox = async (who: Pick<Someone, 'get'>, filters = '') => (await who.get(`/inbox?${filters}`)).body
  const idsOf = async (who: Pick<Someone, 'get'>, filters = ''): Promise<string[]> =>
    (await inbox(who, filters)).rows.map(({ taskId }: Row) => taskId)
  const isListed = async (who: Pick<Someone, 'get'>, taskId: string) => (await idsOf(who)).includes(taskId)

  test('until the time comes, in every list and count of theirs, and in none of their colleagues', async () => {
    const shop = `app-${Date.now()}`
    const [taskId, other] = [await send({ app: shop, assignTo: ana.email }), await send({ app: shop })]
    await ana.put('/views', { views: [{ name: 'Shop', filters: { app: shop } }] })
    const before = await inbox(ana)
    const until = await fromNow(hour)
    const saved = await ana.put(`/tasks/${taskId}/snooze`, { until })
    expect([saved.status, saved.body]).toEqual([200, { until }])

    const after = await inbox(ana)
    expect(after.counts.open).toBe(before.counts.open - 1)
    expect(after.snoozed).toEqual({ taskIds: [taskId], until })
    for (const filters of ['', `app=${shop}`, 'assigned=me', 'priority=normal'])
      expect(await idsOf(ana, filters), filters).not.toContain(taskId)
    expect((await inbox(ana, `app=${shop}`)).counts.open).toBe(1)
    expect((await ana.get('/views')).body.views).toMatchObject([{ name: 'Shop', open: 1 }])
    // What is searched for is found.
    const found: Row[] = (await inbox(ana, `q=${taskId}`)).rows
    expect(found).toMatchObject([{ taskId, snoozedUntil: until }])
    const record = (await ana.get(`/tasks/${taskId}?include=snooze`)).body
    expect([record.status, record.snoozedUntil]).toEqual(['open', until])
    expect(await inbox(ana, 'snoozed=true')).toMatchObject({
      rows: [{ taskId, snoozedUntil: until }],
      counts: { open: 1 },
    })

    expect((await inbox(ben)).snoozed).toEqual({ taskIds: [], until: null })
    expect(await idsOf(ben, `app=${shop}`)).toEqual([taskId, other])
    expect(await idsOf(ben, 'snoozed=true')).toEqual([])
    expect((await ben.get(`/tasks/${taskId}?include=snooze`)).body).not.toHaveProperty('snoozedUntil')
    expect((await acme.agent.get(`/tasks/${taskId}`)).body).toMatchObject({ status: 'open' })

    await moveClock(service.databaseUrl, '61 minutes')
    expect(await inbox(ana)).toMatchObject({ counts: before.counts, snoozed: { taskIds: [], until: null } })
    expect(await idsOf(ana)).toEqual(await idsOf(ben))
  })

  test('and is found among the snoozed tasks, however many newer tasks have the same words', async () => {
    const other = await service.workspace()
    const dora = await other.person('member', 'Dora')
    const payload = (name: string) => taskPayload({}, { name })
    const ids: string[] = []
    for (const name of ['Heron one', 'Heron two', 'Bittern three']) {
      const { taskId } = (await other.agent.post('/tasks', payload(name))).body
      expect((await snooze(dora, taskId)).status).toBe(200)
      ids.unshift(taskId)
    }
    const [bittern, ...herons] = ids
    const newer = Array.from({ length: maxSearchCount + 1 }, (_, index) => payload(`Heron newer ${index}`))
    for (let start = 0; start < newer.length; start += 50) {
      const batch = await other.agent.post('/tasks/batch', { tasks: newer.slice(start, start + 50) })
      expect(batch.status, JSON.stringify(batch.body)).toBeLessThan(300)
    }
    const first = await inbox(dora, 'snoozed=true&q=heron&limit=1')
    expect(first).toMatchObject({ rows: [{ taskId: herons[0] }], counts: { open: 2 } })
    const next = `snoozed=true&q=heron&limit=1&cursor=${encodeURIComponent(first.nextCursor)}`
    expect(await inbox(dora, next)).toMatchObject({ rows: [{ taskId: herons[1] }], nextCursor: null })
    expect(await idsOf(dora, 'snoozed=true&q=three+bitt')).toEqual([bittern])
    expect(await idsOf(dora, `snoozed=true&q=${bittern}`)).toEqual([bittern])
    expect(await idsOf(dora, 'snoozed=true&q=egret')).toEqual([])
    expect(await idsOf(dora, 'snoozed=true&q=heron&priority=low')).toEqual([])
  })

  test('until something happens to it', async () => {
    const happenings: Record<string, (taskId: string) => Promise<{ status: number }>> = {
      update: (taskId) => acme.agent.post(`/tasks/${taskId}/updates`, { message: 'Still waiting' }),
      revision: (taskId) =>
        acme.agent.post(`/tasks/${taskId}/updates`, { message: 'New', revision: { task: { name: 'New' } } }),
      note: (taskId) => ben.post(`/tasks/${taskId}/notes`, { text: 'Look at this.' }),
      assignment: (taskId) => ben.post(`/tasks/${taskId}/assign`, { to: ana.email }),
      question: (taskId) => ben.post(`/tasks/${taskId}/questions`, { text: 'Why?', kind: 'question' }),
    }
    for (const [name, happens] of Object.entries(happenings)) {
      const taskId = await snoozed({ acceptsQuestions: true })
      // A claim means only that somebody looks at the task.
      expect((await ben.post(`/tasks/${taskId}/claim`)).status).toBe(200)
      expect(await isListed(ana, taskId)).toBe(false)
      expect((await happens(taskId)).status, name).toBeLessThan(300)
      expect(await isListed(ana, taskId), name).toBe(true)
      expect((await inbox(ana)).snoozed, name).toEqual({ taskIds: [], until: null })
    }
  })

  test('until the agent replies, or another person gives the first of two answers', async () => {
    const asked = await send({ acceptsQuestions: true })
    const { questionId } = (await ana.post(`/tasks/${asked}/questions`, { text: 'Why?', kind: 'question' }))
      .body
    expect((await snooze(ana, asked)).status).toBe(200)
    expect(await isListed(ana, asked)).toBe(false)
    await acme.agent.post(`/tasks/${asked}/updates`, { message: 'Because.', answers: questionId })
    expect(await isListed(ana, asked)).toBe(true)

    const reviewed = await snoozed({ review: { needed: 2 } })
    expect((await ben.post(`/tasks/${reviewed}/handle`, { actionId: 'approve' })).status).toBe(200)
    expect((await inbox(ana)).rows).toContainEqual(expect.objectContaining({ taskId: reviewed }))
  })

  test('until a reminder, and not beyond the time by which people should have answered', async () => {
    const policy = { type: 'quick', answerWithinMinutes: 30, remindAfterMinutes: 10 }
    expect((await acme.owner.post('/policies', policy)).status).toBe(201)
    const created = await acme.agent.post('/tasks', taskPayload({}, { type: 'quick' }))
    const { taskId } = created.body
    const { answerBy } = (await ana.get(`/tasks/${taskId}`)).body
    const save = await snooze(ana, taskId, day)
    expect(save.body).toEqual({ until: answerBy })
    await passTime(service, '11 minutes')
    await vi.waitUntil(() => isListed(ana, taskId), waitOptions)
    expect((await ana.get(`/tasks/${taskId}`)).body.answerBy).toBe(answerBy)
    await snooze(ana, taskId, day)
    expect(await isListed(ana, taskId)).toBe(false)
    await moveClock(service.databaseUrl, '20 minutes')
    expect(await idsOf(ana, 'late=true')).toContain(taskId)
    // It is late already, so nothing is left that would bring it back earlier.
    const until = await fromNow(day)
    expect((await ana.put(`/tasks/${taskId}/snooze`, { until })).body).toEqual({ until })
  })

  test('and its thread is ranked by the tasks that are left', async () => {
    const other = await service.workspace()
    const bea = await other.person('member', 'Bea')
    const add = async (threadId: string, priority: string) =>
      (await other.agent.post('/tasks', taskPayload({ threadId, priority }))).body.taskId as string
    const low = await add('mixed', 'low')
    const urgent = await add('mixed', 'urgent')
    const high = await add('alone', 'high')
    const normal = await add('plain', 'normal')
    expect(await idsOf(bea)).toEqual([urgent, low, high, normal])
    const [until, later] = [await fromNow(hour), await fromNow(2 * hour)]
    await bea.put(`/tasks/${high}/snooze`, { until: later })
    await bea.put(`/tasks/${urgent}/snooze`, { until })
    const { rows, counts, snoozed: own } = await inbox(bea)
    expect(rows.map(({ taskId }: Row) => taskId)).toEqual([normal, low])
    expect(counts).toMatchObject({ open: 2, byPriority: { urgent: 0, high: 0, normal: 1, low: 1 } })
    expect(own).toEqual({ taskIds: [urgent, high], until })
    const first = await inbox(bea, 'limit=1')
    const second = await inbox(bea, `limit=1&cursor=${first.nextCursor}`)
    expect([first, second].flatMap((page) => page.rows.map(({ taskId }: Row) => taskId))).toEqual([
      normal,
      low,
    ])
    expect(second.nextCursor).toBeNull()
    expect(await idsOf(other.owner)).toEqual([urgent, low, high, normal])
    expect((await inbox(bea, 'snoozed=true')).counts).toMatchObject({ byPriority: { urgent: 1, high: 1 } })
    for (const path of ['snooze', 'snooze'])
      expect((await bea.delete(`/tasks/${urgent}/${path}`)).status).toBe(204)
    expect(await idsOf(bea)).toEqual([urgent, low, normal])
  })

  test('if they snooze it while something happens to it, that happened either before or after', async () => {
    const taskId = await send()
    await asOwner(service.databaseUrl, async (client) => {
      await client.query('BEGIN')
      await client.query('SELECT FROM tasks WHERE id = $1 FOR NO KEY UPDATE', [taskId])
      const saving = snooze(ana, taskId)
      await vi.waitFor(async () => expect(await lockWaits(service.databaseUrl)).toBe(1), waitOptions)
      const noted = ben.post(`/tasks/${taskId}/notes`, { text: 'Look.' })
      await vi.waitFor(async () => expect(await lockWaits(service.databaseUrl)).toBe(2), waitOptions)
      await client.query('COMMIT')
      expect([(await saving).status, (await noted).status]).toEqual([200, 201])
    })
    expect(await isListed(ana, taskId)).toBe(true)
  })

  test('only if it is open and in their workspace, for a bounded time, and a bounded number of tasks', async () => {
    const dee = await acme.person('member', 'Dee')
    const taskId = await send()
    const message = 'Must be in the future, at most 90 days from now.'
    for (const [until, error] of [
      [await fromNow(-1), { message }],
      [await fromNow(limits.snoozeDays * day + 60_000), { message }],
      ['tomorrow', {}],
      [null, {}],
    ])
      expect(await dee.put(`/tasks/${taskId}/snooze`, { until })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'until', ...(error as object) }] },
      })
    expect((await snooze(dee, taskId, limits.snoozeDays * day - 60_000)).status).toBe(200)
    // Again: the new time counts.
    const until = await fromNow(hour)
    expect((await dee.put(`/tasks/${taskId}/snooze`, { until })).body).toEqual({ until })

    const stranger = await service.workspace()
    expect((await snooze(stranger.owner, taskId)).status).toBe(404)
    expect((await stranger.owner.delete(`/tasks/${taskId}/snooze`)).status).toBe(404)

    await query(
      service.databaseUrl,
      `INSERT INTO snoozes SELECT workspace_id, 'tsk_' || n, 'tsk_' || n, user_id, until
       FROM snoozes, generate_series(2, ${limits.snoozesPerPerson}) n WHERE task_id = $1`,
      [taskId],
    )
    expect((await snooze(dee, taskId, 2 * hour)).status).toBe(200)
    expect(await snooze(dee, await send())).toMatchObject({ status: 409, body: { code: 'conflict' } })

    await ben.post(`/tasks/${taskId}/mark-done`, {})
    expect(await query(service.databaseUrl, 'SELECT FROM snoozes WHERE task_id = $1', [taskId])).toEqual([])
    expect(await snooze(dee, taskId)).toMatchObject({ status: 409, body: { code: 'task_not_open' } })
    expect((await dee.delete(`/tasks/${taskId}/snooze`)).status).toBe(204)
  })

  test('without a trace for anybody else: no event, no entry, and nothing is left when the person is erased', async () => {
    const taskId = await send()
    const { eventCursor } = await inbox(ben)
    const { workspaceId } = acme
    const reader = await openInboxReader(
      { url: service.url, workspaceId, cookie: ben.cookie },
      { after: eventCursor },
    )
    await snooze(ana, taskId)
    await ana.delete(`/tasks/${taskId}/snooze`)
    const cid = await acme.person('member', 'Cid')
    await snooze(cid, taskId)
    await ben.post(`/tasks/${taskId}/claim`)
    // The cursor may be before the task: events that are still being committed are sent again.
    const types = () =>
      reader.seen.filter(({ event }) => event.taskId === taskId).map(({ event }) => event.type)
    await expect.poll(types).toContain('service/task_claimed')
    expect(types().filter((type) => type !== 'service/task_created')).toEqual(['service/task_claimed'])
    await reader.close()
    expect((await ben.get(`/threads/${taskId}/timeline`)).body.entries).toHaveLength(1)
    const { members } = (await acme.owner.get('/members')).body
    const { userId } = members.find(({ email }: { email: string }) => email === cid.email)
    const left = () => query(service.databaseUrl, 'SELECT FROM snoozes WHERE user_id = $1', [userId])
    expect(await left()).toHaveLength(1)
    expect((await acme.owner.delete(`/members/${userId}?erase=true`)).status).toBe(204)
    await moveClock(service.databaseUrl, '6 s')
    await erasePeople(service.app.service, new AbortController().signal)
    await expect.poll(left).toEqual([])
  })
})
