import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TaskRecord } from '../../src/contract/task.ts'
import { newId } from '../../src/server/lib/ids.ts'
import { documentWords } from '../../src/server/storage/tasks/search-words.ts'
import type { Caller } from '../support/http.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

async function walk(caller: Caller, path: string, filters: Record<string, string>, limit: number) {
  const tasks: TaskRecord[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const search = new URLSearchParams({ ...filters, limit: String(limit), cursor })
    const { status, body } = await caller.get(`${path}?${search}`)
    expect({ status, problem: body.detail }).toEqual({ status: 200, problem: undefined })
    expect(body.tasks.length).toBeLessThanOrEqual(limit)
    tasks.push(...body.tasks)
    cursor = body.nextCursor
  }
  return tasks
}

const idsOf = (tasks: { taskId: string }[]) => tasks.map(({ taskId }) => taskId)

function newestFirst(tasks: TaskRecord[], timestamp = ({ createdAt }: TaskRecord) => createdAt) {
  const key = (task: TaskRecord) => `${timestamp(task)} ${task.taskId}`
  return [...tasks].sort((one, other) => (key(one) < key(other) ? 1 : -1))
}

describe('a list of tasks', () => {
  let acme: TestWorkspace
  let mara: Caller & { email: string }
  let all: TaskRecord[]
  beforeAll(async () => {
    acme = await service.workspace()
    mara = await acme.person('member')
    const ids: string[] = []
    for (let i = 0; i < 60; i += 6) {
      // Six at once: some of them share a millisecond.
      const created = await Promise.all(
        [0, 1, 2, 3, 4, 5].map((j) =>
          acme.agent.post(
            '/tasks',
            taskPayload(
              {
                app: ['shop', 'back office'][(i + j) % 2],
                version: [undefined, 'v1', '2026-11-15 +build.7'][(i + j) % 3],
                priority: ['low', 'normal', 'high', 'urgent'][(i * 7 + j) % 4],
                ...(j === 3 && { threadId: 'order 7' }),
              },
              { type: ['refund', 'e-mail.v2'][j % 2], name: `Task ${i + j}` },
            ),
          ),
        ),
      )
      ids.push(...created.map(({ body }) => body.taskId))
    }
    for (const [i, taskId] of ids.entries()) {
      if (i % 5 === 1) await acme.agent.post(`/tasks/${taskId}/cancel`)
      const person = i % 2 === 0 ? mara : acme.owner
      if (i % 5 === 2) await person.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
      if (i % 5 === 3) await person.post(`/tasks/${taskId}/reject`, { feedback: 'No' })
    }
    all = await Promise.all(ids.map(async (taskId) => (await acme.agent.get(`/tasks/${taskId}`)).body))
  })

  test('with fields=summary leaves out description, metadata and questions, and nothing else', async () => {
    const other = await service.workspace()
    const sent = taskPayload({ metadata: { order: 7 }, version: 'v1', acceptsQuestions: true })
    const { taskId } = (await other.agent.post('/tasks', sent)).body
    await other.owner.post(`/tasks/${taskId}/questions`, { text: 'Why?', kind: 'question' })
    const [[whole], [summary]] = await Promise.all(
      ['/tasks', '/tasks?fields=summary'].map(async (path) => (await other.agent.get(path)).body.tasks),
    )
    const { description, metadata, questions, ...rest } = whole
    expect([description, metadata, questions.length]).toEqual(['The parcel came back.', { order: 7 }, 1])
    expect(summary).toEqual(rest)
  })

  test('is sorted newest first, with each task on exactly one page', async () => {
    const expected = idsOf(newestFirst(all))
    for (const limit of [1, 7, 100])
      expect(idsOf(await walk(acme.agent, '/tasks', {}, limit))).toEqual(expected)
    expect((await acme.agent.get('/tasks')).body.tasks).toEqual(newestFirst(all).slice(0, 20))
  })

  test('has pages of 1 to 100 tasks, and a null cursor at the end', async () => {
    expect((await acme.agent.get('/tasks?limit=0')).body.tasks).toHaveLength(1)
    expect((await acme.agent.get('/tasks?limit=-7')).body.tasks).toHaveLength(1)
    const page = (await acme.agent.get('/tasks?limit=5000')).body
    expect(page).toMatchObject({ nextCursor: null })
    expect(page.tasks).toHaveLength(60)
    expect((await acme.agent.get('/tasks?limit=60')).body.nextCursor).toBeNull()
    expect((await acme.agent.get('/tasks?limit=59')).body.nextCursor).toEqual(expect.any(String))
    expect((await acme.agent.get('/tasks?limit=many')).status).toBe(400)
  })

  test('returns exactly the tasks that match every filter', async () => {
    const middle = newestFirst(all)[30]!.createdAt
    const cases: [Record<string, string>, (task: TaskRecord) => boolean][] = [
      [{ status: 'open' }, ({ status }) => status === 'open'],
      [{ status: 'handled' }, ({ status }) => status === 'handled'],
      [{ status: 'cancelled' }, ({ status }) => status === 'cancelled'],
      [{ type: 'e-mail.v2' }, ({ type }) => type === 'e-mail.v2'],
      [{ app: 'back office' }, ({ app }) => app === 'back office'],
      [{ version: '2026-11-15 +build.7' }, ({ version }) => version === '2026-11-15 +build.7'],
      [{ priority: 'urgent' }, ({ priority }) => priority === 'urgent'],
      [{ priority: 'normal' }, ({ priority }) => priority === 'normal'],
      [{ threadId: 'order 7' }, ({ threadId }) => threadId === 'order 7'],
      [{ createdAfter: middle }, ({ createdAt }) => createdAt > middle],
      [{ createdBefore: middle }, ({ createdAt }) => createdAt < middle],
      [{ createdAfter: inZone(middle) }, ({ createdAt }) => createdAt > middle],
      [
        { status: 'handled', type: 'refund', app: 'shop', createdBefore: middle },
        (task) =>
          task.status === 'handled' &&
          task.type === 'refund' &&
          task.app === 'shop' &&
          task.createdAt < middle,
      ],
      // null and "" count as absent.
      [{ status: 'open', type: '' }, ({ status }) => status === 'open'],
    ]
    for (const [filters, matches] of cases) {
      const expected = newestFirst(all).filter(matches)
      expect(expected.length).toBeGreaterThan(0)
      expect({ filters, ids: idsOf(await walk(acme.agent, '/tasks', filters, 4)) }).toEqual({
        filters,
        ids: idsOf(expected),
      })
    }
    expect((await acme.agent.get('/tasks?status=expired')).body).toEqual({ tasks: [], nextCursor: null })
    expect((await acme.agent.get('/tasks?threadId=nowhere')).body.tasks).toEqual([])
  })

  test('rejects an unknown filter by name', async () => {
    const wrong: Record<string, string> = {
      state: 'open',
      fields: 'all',
      status: 'done',
      priority: 'asap',
      createdAfter: 'yesterday',
      createdBefore: '2026-11-15T09:30:00',
      cursor: 'x',
      type: 'a b',
    }
    for (const [path, value] of Object.entries(wrong)) {
      expect(await acme.agent.get(`/tasks?${new URLSearchParams({ [path]: value })}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ path }] },
      })
    }
    const inbox = (await acme.owner.get('/inbox?limit=1')).body.nextCursor
    expect((await acme.agent.get(`/tasks?cursor=${inbox}`)).status).toBe(400)
  })

  const handledAt = ({ handled }: TaskRecord) => handled!.handledAt

  test('can be filtered and sorted by handling for people', async () => {
    const handled = newestFirst(
      all.filter(({ status }) => status === 'handled'),
      handledAt,
    )
    const middle = handledAt(handled[10]!)
    const cases: [Record<string, string>, (task: TaskRecord) => boolean][] = [
      [{}, () => true],
      [{ handledBy: mara.email }, (task) => task.handled!.handledBy === mara.email],
      [{ actionId: 'service:reject-request' }, (task) => task.handled!.actionId === 'service:reject-request'],
      [
        { actionId: 'approve', type: 'refund' },
        (task) => task.handled!.actionId === 'approve' && task.type === 'refund',
      ],
      [{ handledAfter: middle }, (task) => handledAt(task) > middle],
      [{ handledBefore: middle }, (task) => handledAt(task) < middle],
      [
        { handledBefore: middle, handledBy: mara.email },
        (task) => handledAt(task) < middle && task.handled!.handledBy === mara.email,
      ],
    ]
    for (const [filters, matches] of cases) {
      const expected = handled.filter(matches)
      expect(expected.length).toBeGreaterThan(0)
      const sorted = await walk(acme.owner, '/tasks', { ...filters, sort: 'handledAt' }, 3)
      expect({ filters, ids: idsOf(sorted) }).toEqual({ filters, ids: idsOf(expected) })
      if (Object.keys(filters).length === 0) continue
      const plain = await walk(acme.owner, '/tasks', filters, 5)
      expect({ filters, ids: idsOf(plain) }).toEqual({ filters, ids: idsOf(newestFirst(expected)) })
      // The same filters narrow a search by words, and by id.
      const found = await walk(acme.owner, '/tasks/search', { query: 'task', ...filters }, 4)
      expect({ filters, ids: idsOf(found) }).toEqual({ filters, ids: idsOf(newestFirst(expected)) })
      const missing = handled.find((task) => !matches(task))!
      for (const [task, count] of [
        [expected[0]!, 1],
        [missing, 0],
      ] as const)
        expect(await walk(acme.owner, '/tasks/search', { query: task.taskId, ...filters }, 1)).toHaveLength(
          count,
        )
    }
    for (const path of ['/tasks?', '/tasks/search?query=task&'])
      expect((await acme.owner.get(`${path}status=open&handledBy=${mara.email}`)).body.tasks).toEqual([])
    const word = `task ${handled[0]!.name.split(' ')[1]}`
    const search = `/tasks/search?${new URLSearchParams({ query: word, handledBy: handled[0]!.handled!.handledBy })}`
    expect(idsOf((await acme.owner.get(search)).body.tasks)).toContain(handled[0]!.taskId)
  })

  test('rejects those filters for API keys, by name', async () => {
    const peopleFilters = {
      handledBy: mara.email,
      actionId: 'approve',
      handledAfter: '2026-11-15T09:30:00Z',
      handledBefore: '2026-11-15T09:30:00Z',
      sort: 'handledAt',
    }
    for (const [path, value] of Object.entries(peopleFilters)) {
      for (const list of ['/tasks?', '/tasks/search?query=task&'])
        expect(await acme.agent.get(list + new URLSearchParams({ [path]: value }))).toMatchObject({
          status: 400,
          body: { code: 'invalid_request', errors: [{ path }] },
        })
    }
  })
})

/** The same timestamp in a time zone two hours ahead of UTC. */
function inZone(timestamp: string): string {
  return new Date(Date.parse(timestamp) + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
}

describe('a search', () => {
  let acme: TestWorkspace
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    acme = await service.workspace()
    const tasks: Record<string, { type: string; name: string; description: string }> = {
      müller: {
        type: 'refund-approval',
        name: 'Refund for Jürgen Müller',
        description: 'Die Straße ist gesperrt.',
      },
      cafe: { type: 'invoice_check', name: 'Invoice of Café Central', description: '€ 40.50, order #A-1107' },
      japanese: { type: 'translation', name: '返金の確認', description: '注文番号 一一〇七' },
      brien: {
        type: 'refund-approval',
        name: "O'Brien asks again",
        description: 'refunding takes\ntwo   days',
      },
      russian: { type: 'translation', name: 'Возврат денег', description: 'Ёлка' },
    }
    for (const [name, task] of Object.entries(tasks)) {
      const app = name === 'brien' ? 'shop' : 'default'
      ids[name] = (await acme.agent.post('/tasks', taskPayload({ app }, task))).body.taskId
    }
    await acme.owner.post(`/tasks/${ids.brien}/mark-done`)
  })

  const search = async (text: string, more: Record<string, string> = {}, caller: Caller = acme.agent) => {
    const { status, body } = await caller.get(
      `/tasks/search?${new URLSearchParams({ query: text, ...more })}`,
    )
    if (status !== 200) return status
    return idsOf(body.tasks).map((taskId) => Object.keys(ids).find((name) => ids[name] === taskId))
  }

  test.each<[string, string[]]>([
    ['refund', ['brien', 'müller']], // in the type of one, in the text of both
    ['refund-approval', ['brien', 'müller']],
    ['invoice_check', ['cafe']],
    ['gesperrt', ['müller']],
    ['two days', ['brien']],
    ['days two', ['brien']],
    ['refund müller', ['müller']],
    ['refund café', []], // all words, not any
    ['ref', ['brien', 'müller']], // the last word may be unfinished
    ['ref müller', []], // only the last
    ['müller ref', ['müller']],
    ['MÜLLER', ['müller']],
    ['mu\u0308ller', ['müller']], // typed as u and two dots
    ['mull', []],
    ['jür', ['müller']],
    ['stra', ['müller']],
    ['STRAẞE', ['müller']],
    ['cafe\u0301', ['cafe']],
    ['40.50', ['cafe']],
    ['#A-1107', ['cafe']],
    ['1107', ['cafe']],
    ['返金', ['japanese']],
    ['注文番号 一一', ['japanese']],
    ['возврат', ['russian']],
    ['ёл', ['russian']],
    ["o'brien", ['brien']],
    ['"two" & !days | (refunding):*', ['brien']],
    ['\\ \' " %', []],
    ['?!', []],
    ['…', []],
    ['tsk_', []],
    ['w:wsp', []],
  ])('for %j finds %j', async (text, expected) => {
    expect(await search(text)).toEqual(expected)
  })

  test('finds an exact id if it matches the filters and belongs to this workspace', async () => {
    expect(await search(ids.cafe!)).toEqual(['cafe'])
    expect(await search(` ${ids.cafe} `)).toEqual(['cafe'])
    expect(await search(ids.cafe!, { status: 'open', type: 'invoice_check', app: 'default' })).toEqual([
      'cafe',
    ])
    for (const other of [{ status: 'handled' }, { type: 'refund' }, { app: 'shop' }])
      expect(await search(ids.cafe!, other)).toEqual([])
    expect(await search(ids.cafe!.slice(0, -1))).toEqual([])
    const strangers = await service.workspace()
    expect(await search(ids.cafe!, {}, strangers.agent)).toEqual([])
    expect(await search('refund', {}, strangers.agent)).toEqual([])
  })

  test('accepts filters, for people and agents alike', async () => {
    expect(await search('refund', { status: 'open' })).toEqual(['müller'])
    expect(await search('refund', { app: 'shop' }, acme.owner)).toEqual(['brien'])
    expect(await search('refund', { type: 'translation' })).toEqual([])
  })

  test('requires 1 to 200 characters, at least one of them visible', async () => {
    expect(await search('')).toBe(400)
    expect(await search('   ')).toBe(400)
    expect(await search('x'.repeat(201))).toBe(400)
    expect(await search('x'.repeat(200))).toEqual([])
    expect(await search('refund', { handledBy: 'x' })).toBe(400)
  })
})

describe('a search through thousands of tasks', () => {
  let acme: TestWorkspace
  type Found = { id: string; words: string[]; status: string; type: string; createdAt: Date }
  const tasks: Found[] = []
  beforeAll(async () => {
    acme = await service.workspace()
    const start = Date.parse('2026-01-01T00:00:00Z')
    for (let i = 0; i < 6_000; i++) {
      const words = ['task', `number${i}`]
      if (i % 2 === 0) words.push('parcel')
      if (i % 70 === 0) words.push('letter')
      if (i < 3_000 && i % 300 === 0) words.push('zeppelin') // none among the newer half
      tasks.push({
        id: newId('task'),
        words,
        status: i % 10 === 0 ? 'open' : 'cancelled',
        type: i % 3 === 0 ? 'a' : 'b',
        createdAt: new Date(start + Math.floor(i / 3)), // three share a timestamp
      })
    }
    const rows = tasks.map((task) => ({
      ...task,
      name: task.words.join(' '),
      document: documentWords(acme.workspaceId, task.type, task.words.join(' ')),
    }))
    await query(
      service.databaseUrl,
      `WITH sent AS (
         SELECT * FROM json_to_recordset($2)
           AS sent (id text, name text, status text, type text, "createdAt" timestamptz, document text[])),
       task AS (
         INSERT INTO tasks (id, workspace_id, thread_id, status, app, type, name, description, priority, delivery,
           created_by, created_at, ended_at)
         SELECT id, $1, id, status, 'default', type, name, '-', 2, 'poll', 'test', "createdAt",
           CASE status WHEN 'open' THEN NULL ELSE "createdAt" END FROM sent)
       INSERT INTO task_search (task_id, workspace_id, created_at, document)
       SELECT id, $1, "createdAt", array_to_tsvector(document) FROM sent`,
      [acme.workspaceId, JSON.stringify(rows)],
    )
  })

  test.each<[string, Record<string, string>]>([
    ['zeppelin', {}],
    ['zep', { status: 'open' }],
    ['letter', {}],
    ['letter parcel', { type: 'a' }],
    ['parcel lett', {}],
    ['number59', {}],
    ['task number1', { status: 'open', type: 'b' }],
    ['zeppelin letter', {}],
    ['nothing', {}],
  ])('for %j with %j finds what a simple model finds, newest first', async (text, filters) => {
    const wanted = text.split(' ')
    const last = wanted.pop()!
    const expected = tasks
      .filter(({ words }) => wanted.every((word) => words.includes(word)))
      .filter(({ words }) => words.some((word) => word.startsWith(last)))
      .filter(({ status, type }) => (filters.status ?? status) === status && (filters.type ?? type) === type)
      .sort((one, other) => Number(other.createdAt) - Number(one.createdAt) || (one.id < other.id ? 1 : -1))
    const found = await walk(acme.agent, '/tasks/search', { query: text, ...filters }, 60)
    expect(idsOf(found)).toEqual(expected.map(({ id }) => id))
  })
})
