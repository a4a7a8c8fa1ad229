import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Statistics } from '../../src/contract/statistics.ts'
import { type HandledTask, insertHandled } from '../support/handled-tasks.ts'
import { moveClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

// The database's clock is set to noon, so that no test crosses midnight.
const noon = new Date().setUTCHours(12, 0, 0, 0)
const dayAgo = (days: number) => new Date(noon - days * 86_400_000).toISOString().slice(0, 10)

describe('statistics count what people answered', () => {
  let live: TestService
  let rolled: TestService
  let acme: TestWorkspace
  let brown: TestWorkspace

  /** Answers of today and of past days. */
  const history: HandledTask[] = [
    ...Array.from({ length: 60 }, (_, i) => ({
      app: 'shop',
      version: i < 30 ? '1.0' : '2.0',
      daysAgo: i < 30 ? 10 : 5,
      actionId: i < 30 ? (i < 3 ? 'reject' : 'approve') : i < 50 ? 'reject' : 'approve',
      data: { reason: 'The parcel label is unreadable.' },
      seconds: i < 30 ? 60 : 6_000,
      handledBy: i % 2 ? 'mara@example.com' : 'omar@example.com',
      editLevel: (['unchanged', 'light', 'heavy'] as const)[i < 30 ? i % 2 : 2]!,
    })),
    ...Array.from({ length: 8 }, () => ({ app: 'shop', decidedBy: 'timeout' as const, daysAgo: 5 })),
    ...Array.from({ length: 5 }, () => ({ app: 'books', type: 'review', seconds: 600 })),
    // The sender declares the outcome of an action, whatever its id.
    ...Array.from({ length: 4 }, () => ({
      app: 'books',
      type: 'review',
      daysAgo: 3,
      actions: [{ id: 'approve', title: 'Approve', outcome: 'negative' as const }],
    })),
    { app: 'shop', daysAgo: 45 },
  ]

  beforeAll(async () => {
    // Without jobs nothing is rolled up. Counts before and after a roll-up must be equal.
    live = await startService({}, ['--only', 'backend'])
    await moveClock(live.databaseUrl, `${noon - Date.now()} milliseconds`)
    acme = await live.workspace()
    brown = await live.workspace()
    await insertHandled(live.databaseUrl, acme.workspaceId, history)
    await insertHandled(live.databaseUrl, brown.workspaceId, [
      { app: 'secret', type: 'secret' },
      // Two versions answered on one day; the task of 9 was created after the one of 10.
      { app: 'days', version: '10', daysAgo: 2, seconds: 6_000 },
      { app: 'days', version: '9', daysAgo: 2.01, seconds: 30 },
    ])
    await acme.agent.post('/tasks', taskPayload({ app: 'shop' }))
  })
  afterAll(async () => {
    await rolled?.stop()
    await live.stop()
  })

  const statistics = async (filters = ''): Promise<Statistics> => {
    const { status, body } = await acme.owner.get(`/statistics${filters}`)
    expect(body.errors ?? status, filters).toBe(200)
    return body
  }

  test('cover the last 30 days: totals, days, pairs with their health, and open tasks', async () => {
    const found = await statistics()
    expect(found).toMatchObject({ from: dayAgo(29), to: dayAgo(0), answers: 69, timeouts: 8 })
    expect(found.negative).toMatchObject({ count: 27, n: 69 })
    expect(found.days).toHaveLength(30)
    expect(found.days.find(({ day }) => day === dayAgo(5))).toMatchObject({
      answers: 30,
      timeouts: 8,
      negative: 20,
    })
    const { actions, days } = found
    expect(actions.map(({ actionId, count }) => [actionId, count])).toEqual([
      ['approve', 46],
      ['reject', 23],
    ])
    for (const day of days) expect(day.byAction.reduce((a, b) => a + b, day.otherActions)).toBe(day.answers)
    expect(found.pairs).toEqual([
      expect.objectContaining({
        app: 'shop',
        answers: 60,
        timeouts: 8,
        health: 'not healthy',
        newestIsWorse: true,
      }),
      expect.objectContaining({
        app: 'books',
        type: 'review',
        answers: 9,
        health: 'too few',
        negative: expect.objectContaining({ count: 4 }),
      }),
    ])
    expect(found.open).toMatchObject({ count: 1, stopped: false, oldestAt: expect.any(String) })
    expect(found.people[0]).toEqual({ person: 'mara@example.com', answers: 39 })
    // Half took a minute or ten, the rest 100 minutes.
    expect(found.medianSeconds).toBeGreaterThan(55)
    expect(found.medianSeconds).toBeLessThan(700)
    expect(found.p90Seconds).toBeGreaterThan(5_000)
    expect(found.p90Seconds).toBeLessThan(7_000)
    expect(found.timesToAnswer.reduce((sum, { count }) => sum + count, 0)).toBe(69)
    expect(found.details).toBeUndefined()
    expect(JSON.stringify(found)).not.toContain('secret')
  })

  test('of one pair also contain its versions, answers and reasons', async () => {
    const found = await statistics('?app=shop&type=refund-approval')
    expect(found.versions).toEqual([
      expect.objectContaining({
        version: '2.0',
        isNewest: true,
        verdict: 'worse',
        count: 20,
        n: 30,
        firstDay: dayAgo(5),
        edits: { unchanged: 0, light: 0, heavy: 30 },
      }),
      expect.objectContaining({
        version: '1.0',
        verdict: 'better',
        count: 3,
        n: 30,
        lastDay: dayAgo(10),
        edits: { unchanged: 15, light: 15, heavy: 0 },
      }),
    ])
    expect(found.details).toMatchObject({ basedOn: 60, reasons: [{ negative: 23 }] })
  })

  const newestVersion = async () => {
    const { body } = await brown.owner.get('/statistics?app=days&type=refund-approval')
    return (body as Statistics).versions.find(({ isNewest }) => isNewest)?.version
  }

  test('of two versions answered on the same day, the newest is the one whose first task was created last', async () => {
    expect(await newestVersion()).toBe('9')
  })

  test.each([
    ['?version=2.0', 30],
    ['?person=omar@example.com', 30],
    [`?from=${dayAgo(6)}T00:00:00Z&to=${dayAgo(4)}T00:00:00Z`, 30],
    [`?from=${dayAgo(60)}T00:00:00Z`, 70],
    ['?app=books', 9],
    ['?app=nothing', 0],
  ])('with %s there are %i answers', async (filters, answers) => {
    expect((await statistics(filters)).answers).toBe(answers)
  })

  test('a period in the wrong order or of too many days is rejected', async () => {
    const wrong = await acme.owner.get(`/statistics?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z`)
    expect(wrong.status).toBe(400)
    const many = await acme.owner.get(`/statistics?from=2020-01-01T00:00:00Z`)
    expect(many.body.errors[0].message).toContain('366')
  })

  test('after past days are rolled up, the statistics are the same, and new answers are added', async () => {
    const views = ['', '?app=shop&type=refund-approval', '?version=2.0', '?person=omar@example.com']
    const before = await Promise.all(views.map(statistics))
    rolled = await startService({ DATABASE_URL: live.databaseUrl })
    await vi.waitFor(async () => {
      const [{ rows } = { rows: 0 }] = await query<{ rows: number }>(
        live.databaseUrl,
        'SELECT sum(answers)::int AS rows FROM answer_days WHERE workspace_id = $1',
        [acme.workspaceId],
      )
      expect(rows).toBe(73)
    }, waitOptions)
    await vi.waitFor(async () => {
      const rows = await query(
        live.databaseUrl,
        "SELECT FROM answer_days WHERE workspace_id = $1 AND app = 'days'",
        [brown.workspaceId],
      )
      expect(rows).toHaveLength(2)
    }, waitOptions)
    expect(await newestVersion()).toBe('9')
    expect(await Promise.all(views.map(statistics))).toEqual(before)
    const { taskId } = (await acme.agent.post('/tasks', taskPayload({ app: 'shop' }))).body
    await acme.owner.post(`/tasks/${taskId}/reject`, { feedback: 'No.' })
    expect((await statistics()).answers).toBe(before[0]!.answers + 1)
  })

  test('agreement is what the raw answers of tasks with several reviewers say', async () => {
    const cora = await live.workspace()
    const people = await Promise.all(['Ana', 'Ben', 'Cem'].map((name) => cora.person('member', name)))
    const size = { type: 'string', enum: ['s', 'm'] }
    const payload = {
      ...taskPayload({ app: 'label', review: { needed: 2, onDecline: 'collect' } }, { type: 'photo' }),
      actions: [
        { id: 'keep', title: 'Keep', schema: { type: 'object', properties: { size } } },
        { id: 'drop', title: 'Drop' },
      ],
    }
    // Per task, what each person in turn answers; a third decides where two differ.
    const given = ['keep:s keep:s', 'drop drop', 'keep:s drop keep:s', 'keep:m keep:s keep:m', 'drop drop']
    const records: { actionId: string; data: { size?: string }; by: string }[][] = []
    for (const [index, answers] of given.entries()) {
      const { taskId } = (await cora.agent.post('/tasks', payload)).body
      for (const [turn, text] of answers.split(' ').entries()) {
        const [actionId, chosen] = text.split(':')
        const person = people[(index + turn) % people.length]!
        const sent = await person.post(`/tasks/${taskId}/handle`, {
          actionId,
          ...(chosen && { data: { size: chosen } }),
        })
        expect(sent.status, JSON.stringify(sent.body)).toBe(200)
      }
      records.push((await cora.agent.get(`/tasks/${taskId}`)).body.handled.answers)
    }
    // One more that one person decides, and one that ends at the first rejection: neither counts.
    for (const review of [undefined, { needed: 2 }]) {
      const { taskId } = (await cora.agent.post('/tasks', { ...payload, review })).body
      await people[0]!.post(`/tasks/${taskId}/mark-done`, {})
    }

    const figures = (await cora.owner.get('/statistics?app=label&type=photo')).body as Statistics
    const { action, fields, people: withMajority } = figures.details!.agreement!
    const same = records.filter(([one, other]) => one!.actionId === other!.actionId)
    expect(action).toMatchObject({ n: records.length, count: same.length })
    // 10 values: keep 5, drop 5; two of ten ordered pairs differ. 1 - 9 * 2 / (100 - 50)
    expect(action.alpha).toBeCloseTo(1 - (9 * 2) / 50, 10)
    const sized = same.filter(([one]) => one!.actionId === 'keep')
    expect(fields).toMatchObject([
      {
        title: 'size',
        n: sized.length,
        count: sized.filter(([a, b]) => a!.data.size === b!.data.size).length,
      },
    ])
    for (const { person, n, count } of withMajority) {
      const theirs = records.filter((answers) => answers.some(({ by }) => by === person))
      const chosen = theirs.filter((answers) => {
        const own = answers.find(({ by }) => by === person)!.actionId
        return answers.filter(({ actionId }) => actionId === own).length * 2 > answers.length
      })
      expect({ person, n, count }).toEqual({ person, n: theirs.length, count: chosen.length })
    }
    expect(withMajority).toHaveLength(3)
    const lines = (await cora.owner.get('/export?format=jsonl&app=label')).body.trim().split('\n')
    const exported = lines.map((line: string) => JSON.parse(line).handled.answers)
    expect(exported.slice(0, records.length)).toEqual(records)
    const byPerson = await cora.owner.get(`/statistics?app=label&type=photo&person=${people[0]!.email}`)
    expect(byPerson.body.details).not.toHaveProperty('agreement')
  })
})
