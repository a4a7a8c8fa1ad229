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
    // Answers by rules are counted apart, and nothing else of them counts.
    ...Array.from({ length: 9 }, (_, i) => ({
      app: 'shop',
      version: '2.0',
      decidedBy: 'rule' as const,
      ...(i < 7 && { daysAgo: 5 }),
      actionId: 'reject',
      data: { reason: 'The parcel label is unreadable.' },
      seconds: 0,
      answerWithin: 60,
      editLevel: 'heavy' as const,
    })),
    { app: 'robots', decidedBy: 'rule' as const },
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
    expect(found).toMatchObject({ from: dayAgo(29), to: dayAgo(0), answers: 69, timeouts: 8, rules: 10 })
    expect(found.inTime).toBeUndefined()
    expect(found.negative).toMatchObject({ count: 27, n: 69 })
    expect(found.days).toHaveLength(30)
    expect(found.days.find(({ day }) => day === dayAgo(5))).toMatchObject({
      answers: 30,
      timeouts: 8,
      rules: 7,
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
        rules: 9,
        health: 'not-healthy',
      }),
      expect.objectContaining({
        app: 'books',
        type: 'review',
        answers: 9,
        health: 'too-few',
        rules: 0,
        negative: expect.objectContaining({ count: 4 }),
      }),
      expect.objectContaining({ app: 'robots', answers: 0, timeouts: 0, rules: 1, health: 'too-few' }),
    ])
    expect(found.open).toMatchObject({ count: 1, hasMore: false, oldestAt: expect.any(String) })
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
    expect(found).toMatchObject({ answers: 60, rules: 9 })
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
    expect(wrong.body.errors[0].path).toBe('to')
    const future = await acme.owner.get(`/statistics?from=2999-01-01T00:00:00Z`)
    expect(future.body.errors[0].path).toBe('from')
    const many = await acme.owner.get(`/statistics?from=2020-01-01T00:00:00Z`)
    expect(many.body.errors[0].message).toBe('Must be at most 365 days before to.')
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
      expect(rows).toBe(80)
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
        title: 'Size',
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

  test('shares answered in time are what the records say, per app and type, group and person', async () => {
    const dora = await live.workspace()
    const [ana, ben] = [await dora.person('member', 'Ana'), await dora.person('member', 'Ben')]
    await dora.owner.post('/groups', { slug: 'support', name: 'Support', members: [ana.email] })
    await dora.owner.post('/groups', { slug: 'finance', name: 'Finance', members: [ana.email, ben.email] })
    const policies = [
      { type: 'refund', assignTo: 'group:support', answerWithinMinutes: 30 },
      { type: 'wire', by: ['group:finance'], needed: 2, answerWithinMinutes: 30 },
    ]
    for (const policy of policies) expect((await dora.owner.post('/policies', policy)).status).toBe(201)
    const sent: string[] = []
    const send = async (type: string, more: Record<string, unknown> = {}) => {
      const { taskId } = (await dora.agent.post('/tasks', taskPayload(more, { type }))).body
      sent.push(taskId)
      return taskId as string
    }
    const answer = (person: typeof ana, taskId: string) =>
      person.post(`/tasks/${taskId}/handle`, { actionId: 'approve', data: {} })
    const figures = async (filters = '') =>
      ((await dora.owner.get(`/statistics${filters}`)).body as Statistics).inTime
    await answer(ana, await send('other'))
    expect(await figures()).toBeUndefined()

    const early = await send('refund')
    const late = await send('refund', { assignTo: ben.email })
    const shared = await send('wire')
    const expiring = await send('refund', { expiresInSeconds: 3_600 })
    const byTimeout = await send('refund', { expiresInSeconds: 3_600, onExpire: { actionId: 'approve' } })
    const asked = await send('refund', { acceptsQuestions: true })
    await dora.agent.post(`/tasks/${await send('refund')}/cancel`, {})
    expect((await answer(ana, early)).status).toBe(200)
    expect((await answer(ana, shared)).status).toBe(200)
    const question = await ana.post(`/tasks/${asked}/questions`, { kind: 'question', text: 'Which order?' })
    expect(question.status, JSON.stringify(question.body)).toBe(201)
    await moveClock(live.databaseUrl, '40 minutes')
    expect((await answer(ben, late)).status).toBe(200)
    expect((await answer(ben, shared)).status).toBe(200)
    // Its clock has been stopped since the question.
    expect((await answer(ben, asked)).status).toBe(200)
    await moveClock(live.databaseUrl, '30 minutes')
    for (const taskId of [expiring, byTimeout]) expect((await answer(ana, taskId)).status).toBe(409)

    const records = await Promise.all(sent.map(async (id) => (await ana.get(`/tasks/${id}`)).body))
    const timed = records
      .filter(({ status, answerBy, taskId }) => status !== 'cancelled' && (answerBy || taskId === asked))
      .map((task) => {
        const isIn = (at: string) => task.taskId === asked || at < task.answerBy
        const { handled } = task
        const isByPerson = handled?.decidedBy === 'human'
        const given = handled?.answers ?? [{ by: handled?.handledBy, at: handled?.handledAt }]
        return {
          type: task.type ?? task.task.type,
          groups: [task.assignedTo, ...(task.review?.by ?? [])].filter((who) => who?.startsWith('group:')),
          result: isByPerson ? (isIn(handled.handledAt) ? 'in time' : 'late') : 'expired',
          answers: isByPerson ? given.map(({ by, at }: typeof given) => ({ by, isIn: isIn(at) })) : [],
        }
      })
    expect(timed).toHaveLength(6)
    const reference = (tasks: typeof timed) => {
      const count = (wanted: string) => tasks.filter(({ result }) => result === wanted).length
      return {
        n: tasks.length,
        count: count('in time'),
        share: count('in time') / tasks.length,
        late: count('late'),
        expired: count('expired'),
      }
    }
    const found = (await figures())!
    expect(found.tasks).toMatchObject(reference(timed))
    expect(found.tasks).toMatchObject({ n: 6, count: 2, late: 2, expired: 2 })
    expect(found.pairs.map(({ type, n }) => [type, n])).toEqual([
      ['refund', 5],
      ['wire', 1],
    ])
    for (const { type, ...pair } of found.pairs)
      expect(pair).toMatchObject(reference(timed.filter((task) => task.type === type)))
    expect(found.groups.map(({ group, name, n }) => [group, name, n])).toEqual([
      ['group:support', 'Support', 4],
      ['group:finance', 'Finance', 1],
    ])
    for (const { group, name: _, ...own } of found.groups)
      expect(own).toMatchObject(reference(timed.filter(({ groups }) => groups.includes(group))))
    const answers = timed.flatMap((task) => task.answers)
    // Ana answered the shared task in time, although it needed Ben, who was late.
    expect(found.people.map(({ person, n, count }) => [person, n, count])).toEqual([
      [ben.email, 3, 1],
      [ana.email, 2, 2],
    ])
    for (const { person, n, count } of found.people) {
      const own = answers.filter(({ by }) => by === person)
      expect({ n, count }).toEqual({ n: own.length, count: own.filter(({ isIn }) => isIn).length })
    }
    expect(found.hasMore).toBe(false)
    expect((await figures('?type=wire'))!.tasks).toMatchObject({ n: 1, late: 1 })
    expect((await figures(`?person=${ben.email}`))!.people).toMatchObject([
      { person: ben.email, n: 3, count: 1 },
    ])
    expect(await figures('?app=nothing')).toBeUndefined()
    expect((await acme.owner.get('/statistics')).body).not.toHaveProperty('inTime')
  })
})
