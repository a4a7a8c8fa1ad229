import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fill } from '../../bench/large-data/fill.ts'
import { giantThread } from '../../bench/large-data/invented-task.ts'
import { knownWords } from '../../bench/large-data/words.ts'
import { limits } from '../../src/contract/limits.ts'
import { encodeCursor } from '../../src/server/domain/cursor.ts'
import { createPlanReader, type ExplainedStatement, withAutoExplain } from '../support/auto-explain.ts'
import { readEventStream } from '../support/event-stream.ts'
import { daysAgo, generalFilters, pairs, peopleFilters } from '../support/list-filters.ts'
import {
  createMigratedDatabase,
  startService,
  type TestService,
  type TestWorkspace,
} from '../support/service.ts'
import { turnAutovacuumOff } from '../support/sql.ts'

const tasks = 25_000

// A list reads one row more than its page, to know whether another page follows.
const page = 20 + 1
const inboxPage = 50 + 1
/** How many rows one scan may read to return this many. */
const proportionate = (rows: number) => 20 * rows + 200
// An index serves one of two filters; the other one discards rows, more if the two rarely occur
// together.
const twoFilters = 150 * page + 200
// A search scans this many tasks per result, and at least a thousand, before it uses the word
// index.
const search = 1_000 + 200 * page
const searchWithFilters = 1_000 + 500 * page

describe('among 25,000 tasks a request reads in proportion to what it shows', () => {
  let service: TestService
  let large: TestWorkspace
  let admin: pg.Client
  let bigTables: string[]
  let plansDuring: ReturnType<typeof createPlanReader>
  let database: Awaited<ReturnType<typeof createMigratedDatabase>> | undefined

  beforeAll(async () => {
    database = await createMigratedDatabase()
    const { url } = database
    // So that the plans depend only on the ANALYZE of `fill`.
    await turnAutovacuumOff(url)
    // Without jobs, whose statements would be attributed to a request.
    service = await startService({ DATABASE_URL: withAutoExplain(url) }, ['--only', 'backend'])
    large = await service.workspace()
    await fill({ databaseUrl: url, workspaceId: large.workspaceId, tasks })
    admin = new pg.Client({ connectionString: url })
    await admin.connect()
    const { rows } = await admin.query(
      "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND reltuples > 1000",
    )
    bigTables = rows.map(({ relname }) => relname)
    plansDuring = createPlanReader(service.app.service.database.pool)
  }, 600_000)

  afterAll(async () => {
    await admin?.end()
    await service?.stop()
    await database?.drop()
  })

  /** The plans of one request by the owner, and its response. */
  async function get(path: string) {
    let response: Awaited<ReturnType<TestWorkspace['owner']['get']>> | undefined
    const plans = await plansDuring(async () => {
      response = await large.owner.get(path)
    })
    expect(response, path).toMatchObject({ status: 200 })
    return { plans, body: response!.body }
  }

  function findExcessiveReads(plans: ExplainedStatement[], bound: number): string[] {
    return plans.flatMap(({ statement, reads }) =>
      reads
        // A table of forty people is scanned as fast as an index.
        .filter(({ table }) => table !== 'users')
        .filter(({ table, by, rows }) => rows > bound || (by === 'Seq Scan' && bigTables.includes(table)))
        .map(({ table, by, rows }) => `${rows} rows of ${table} by ${by}, at most ${bound}: ${statement}`),
    )
  }

  /** Expects no excessive read, and that the table was read at all. */
  function expectProportionate(plans: ExplainedStatement[], table: string, bound: number): void {
    expect(plans.flatMap(({ reads }) => reads.map((read) => read.table))).toContain(table)
    expect(findExcessiveReads(plans, bound)).toEqual([])
  }

  test('the large tables are large, and row-level security applies to requests', async () => {
    expect(bigTables).toEqual(
      expect.arrayContaining(['tasks', 'task_search', 'task_updates', 'threads', 'events', 'audit_log']),
    )
    const { plans } = await get('/tasks')
    const ofTasks = plans.filter(({ reads }) => reads.some(({ table }) => table === 'tasks'))
    expect(new Set(ofTasks.map(({ underPolicy }) => underPolicy))).toEqual(new Set([true]))
  })

  describe('a list', () => {
    test.each([
      '',
      'limit=100',
      'sort=handledAt',
      ...generalFilters,
      ...peopleFilters.map((filter) => `sort=handledAt&${filter}`),
    ])('by one filter: %s', async (query) => {
      const bound = proportionate(query === 'limit=100' ? 101 : page)
      const first = await get(`/tasks?${query}`)
      expectProportionate(first.plans, 'tasks', bound)
      if (first.body.nextCursor === null) return
      const second = await get(`/tasks?${query}&cursor=${first.body.nextCursor}`)
      expectProportionate(second.plans, 'tasks', bound)
    })

    test('by any two filters, in either order', async () => {
      const found: string[] = []
      let requests = 0
      for (const query of pairs(['sort=handledAt', ...peopleFilters, ...generalFilters])) {
        const { plans } = await get(`/tasks?${query}`)
        requests++
        found.push(...findExcessiveReads(plans, twoFilters).map((read) => `${query}: ${read}`))
      }
      expect(requests).toBeGreaterThan(200)
      expect(found).toEqual([])
      // About 500 explained requests: slow on a busy machine.
    }, 600_000)
  })

  test('a task by its id', async () => {
    const { body } = await get('/tasks?limit=1')
    const { plans } = await get(`/tasks/${body.tasks[0].taskId}?include=context,actions,updates`)
    expectProportionate(plans, 'task_contents', 50)
    const ofThread = await get(`/tasks?threadId=${giantThread}&limit=1`)
    const linked = await get(`/tasks/${ofThread.body.tasks[0].taskId}?include=threadTasks`)
    expect(linked.body.threadTasks).toHaveLength(limits.threadTasks)
    expectProportionate(linked.plans, 'tasks', 50)
  })

  describe('the inbox', () => {
    const isCount = ({ statement }: ExplainedStatement) => statement.includes('counted')

    async function expectInbox(query = '') {
      const { plans, body } = await get(`/inbox?limit=${inboxPage - 1}${query}`)
      expect(body.rows).toHaveLength(inboxPage - 1)
      expectProportionate(
        plans.filter((plan) => !isCount(plan)),
        'threads',
        proportionate(inboxPage),
      )
      expectProportionate(plans.filter(isCount), 'threads', 4 * (limits.countPerPriority + 1))
      return body
    }

    test('on its first and second page', async () => {
      const first = await expectInbox()
      await expectInbox(`&cursor=${first.nextCursor}`)
    })

    // A priority that the filter excludes is counted too, and found empty immediately.
    const countBound = 4 * (limits.countPerPriority + 1)
    const filters = [
      ...[
        'app=support',
        'app=pilot',
        'app=nobody',
        'type=reply-approval',
        'type=incident',
        'priority=urgent',
      ],
      ...['priority=normal', 'priority=low', 'assigned=me', 'assigned=none', `q=${knownWords.common}`],
      ...[`q=${knownWords.rare}`, 'q=nonsuch', 'late=true'],
    ]

    test.each([...filters, ...pairs(filters)])('by filters: %s', async (query) => {
      const bound = query.includes('q=') ? 1_000 + 50 * 201 : proportionate(inboxPage)
      const first = await get(`/inbox?limit=${inboxPage - 1}&${query}`)
      expectProportionate(
        first.plans.filter((plan) => !isCount(plan)),
        'tasks',
        bound,
      )
      expect(findExcessiveReads(first.plans.filter(isCount), countBound)).toEqual([])
      if (first.body.nextCursor === null) return
      const second = await get(`/inbox?limit=${inboxPage - 1}&${query}&cursor=${first.body.nextCursor}`)
      expect(
        findExcessiveReads(
          second.plans.filter((plan) => !isCount(plan)),
          bound,
        ),
      ).toEqual([])
    })

    test('its filter values, and the figures of today', async () => {
      const facets = await get('/inbox/facets')
      expect(facets.body.apps).toContain('pilot')
      expect(facets.body.answeredBy.length).toBeGreaterThan(0)
      expectProportionate(facets.plans, 'tasks', 101)
      for (const days of [1, 60]) {
        const today = await get(`/inbox/today?since=${daysAgo(days)}`)
        expectProportionate(today.plans, 'tasks', 5_001)
      }
    })

    test('on a page in the middle of a thread of hundreds', async () => {
      const { rows } = await admin.query(
        `SELECT threads.rank, threads.oldest_open_at, tasks.priority, tasks.created_at, tasks.id
         FROM threads JOIN tasks ON tasks.workspace_id = threads.workspace_id AND tasks.thread_id = threads.id
         WHERE threads.workspace_id = $1 AND threads.id = $2 AND tasks.status = 'open'
         ORDER BY tasks.priority, tasks.created_at, tasks.id OFFSET 300 LIMIT 1`,
        [large.workspaceId, giantThread],
      )
      const { rank, oldest_open_at, priority, created_at, id } = rows[0]
      const position = [
        rank,
        oldest_open_at.toISOString(),
        giantThread,
        priority,
        created_at.toISOString(),
        id,
      ]
      const { rows: shown } = await expectInbox(`&cursor=${encodeCursor(position)}`)
      expect(shown.every((row: { threadId: string }) => row.threadId === giantThread)).toBe(true)
    })
  })

  test('the timeline of a thread of hundreds', async () => {
    const path = `/threads/${giantThread}/timeline?limit=100`
    const first = await get(path)
    expectProportionate(first.plans, 'tasks', proportionate(101))
    const second = await get(`${path}&cursor=${first.body.nextCursor}`)
    expectProportionate(second.plans, 'task_updates', proportionate(101))
  })

  test('creating and ending a task in a thread of hundreds', async () => {
    const more = { threadId: giantThread, priority: 'high' }
    const payload = { task: { type: 'x', name: 'x', description: 'x' }, actions: [{ id: 'a', title: 'A' }] }
    let taskId = ''
    const making = await plansDuring(async () => {
      taskId = (await large.owner.post('/tasks', { ...payload, ...more })).body.taskId
    })
    expectProportionate(making, 'threads', 50)
    const ending = await plansDuring(() => large.owner.post(`/tasks/${taskId}/mark-done`))
    expectProportionate(ending, 'threads', 50)
  })

  test('the event log, from its beginning and from its middle', async () => {
    for (const after of ['0.0.0', `0.${Math.round(tasks * 1.7)}.0`]) {
      const plans = await plansDuring(async () => {
        const stop = new AbortController()
        const response = await fetch(`${service.url}/api/v1/inbox/events?after=${after}`, {
          headers: { cookie: large.owner.cookie, 'handrail-workspace': large.workspaceId },
          signal: stop.signal,
        })
        const events = readEventStream(response)
        for (let read = 0; read < 200; read++) expect((await events.next()).done).toBe(false)
        stop.abort()
      })
      expectProportionate(plans, 'events', proportionate(200))
    }
  })

  test('the audit log, complete or about one subject', async () => {
    const first = await get('/audit')
    expectProportionate(first.plans, 'audit_log', proportionate(page))
    const second = await get(`/audit?cursor=${first.body.nextCursor}`)
    expectProportionate(second.plans, 'audit_log', proportionate(page))
    const one = await get(`/audit?subject=${first.body.entries.at(-1).subject}`)
    expectProportionate(one.plans, 'audit_log', proportionate(page))
  })

  describe('a search', () => {
    const { common, frequent, rare, elsewhere } = knownWords
    const queries = {
      'for a common word': common,
      'for a rare word': rare,
      'for two words': `${common} ${frequent}`,
      'for a common and a rare word': `${common} ${rare}`,
      'for the beginning of a common word': common.slice(0, 3),
      'for the beginning of a rare word': rare.slice(0, 4),
      'for the beginning of many words, each of them rare': '5',
      'for a word that only other workspaces have': elsewhere,
      'for a word that does not occur': 'nonsuch',
    }

    test.each(Object.entries(queries))('%s', async (_, words) => {
      const query = `/tasks/search?query=${encodeURIComponent(words)}`
      const people = [
        '&handledBy=person-0@example.com',
        `&handledBy=person-39@example.com&handledAfter=${daysAgo(3)}`,
      ]
      const general = ['', '&status=open', '&type=incident', '&app=support&status=cancelled']
      for (const filter of [...general, ...people, `&handledBefore=${daysAgo(60)}`]) {
        const bound = filter === '' ? search : searchWithFilters
        const first = await get(query + filter)
        expectProportionate(first.plans, 'task_search', bound)
        if (first.body.nextCursor === null) continue
        const second = await get(`${query}${filter}&cursor=${first.body.nextCursor}`)
        expectProportionate(second.plans, 'task_search', bound)
      }
    })
  })

  /**
   * The plans that read which tasks were answered in time, and how many tasks with a clock ended in
   * the period.
   */
  async function getInTime() {
    const { plans, body } = await get('/statistics')
    const { rows } = await admin.query(
      'SELECT count(*)::int AS clocked FROM tasks WHERE answer_by IS NOT NULL AND ended_at >= $1',
      [`${body.from}T00:00:00Z`],
    )
    expect(body.inTime.tasks.n).toBeGreaterThan(0)
    expect(body.answers).toBeGreaterThan(rows[0].clocked)
    return { plans: plans.filter(({ statement }) => statement.includes('answer_by')), bound: rows[0].clocked }
  }

  test('the shares answered in time read only tasks that have a clock', async () => {
    const { plans, bound } = await getInTime()
    expectProportionate(plans, 'tasks', bound)
  })

  describe('these checks can fail', () => {
    /** As if there were no such index. Creating it again would take seconds. */
    async function without(index: string, work: () => Promise<void>) {
      const setValid = (isValid: boolean) =>
        admin.query('UPDATE pg_index SET indisvalid = $2 WHERE indexrelid = $1::regclass', [index, isValid])
      await setValid(false)
      try {
        await work()
      } finally {
        await setValid(true)
      }
    }

    test.each([
      ['tasks_newest', '/tasks', proportionate(page)],
      ['tasks_type', '/tasks?type=spot-check', proportionate(page)],
      ['tasks_handled_action', '/tasks?sort=handledAt&actionId=never', proportionate(page)],
      ['threads_inbox', '/inbox?limit=50', proportionate(inboxPage)],
      ['tasks_late', '/inbox?limit=50&late=true', proportionate(inboxPage)],
      ['task_search_words', `/tasks/search?query=${knownWords.rare}`, search],
    ])('without %s', async (index, path, bound) => {
      await without(index, async () => {
        const { plans } = await get(path)
        expect(findExcessiveReads(plans, bound).length).toBeGreaterThan(0)
      })
    })

    test('without tasks_ended_with_clock', async () => {
      await without('tasks_ended_with_clock', async () => {
        const { plans, bound } = await getInTime()
        expect(findExcessiveReads(plans, bound).length).toBeGreaterThan(0)
      })
    })
  })

  // The last test, because it changes the tasks.
  test('if rules gave nearly all answers, people find their own and those of a rule', async () => {
    const [common, rare] = [`rul_${'0'.repeat(26)}`, `rul_${'1'.repeat(26)}`]
    const { rowCount } = await admin.query(
      `UPDATE tasks SET decided_by = 'rule', handled_by = 'service:rule', handled_by_id = NULL, via = 'rule',
         rule_id = CASE WHEN abs(hashtext(id)) % 300 = 0 THEN $3 ELSE $2 END
       WHERE workspace_id = $1 AND status = 'handled' AND abs(hashtext(id)) % 50 <> 1`,
      [large.workspaceId, common, rare],
    )
    expect(rowCount).toBeGreaterThan(7_500)
    await admin.query('VACUUM ANALYZE tasks')
    for (const rule of [common, rare]) {
      const { plans, body } = await get(`/tasks?sort=handledAt&ruleId=${rule}`)
      expect(body.tasks.length).toBeGreaterThan(10)
      expectProportionate(plans, 'tasks', proportionate(page))
    }
    const today = await get(`/inbox/today?since=${daysAgo(365)}`)
    const { rows } = await admin.query(
      "SELECT count(*)::int AS answers FROM tasks WHERE workspace_id = $1 AND decided_by = 'human'",
      [large.workspaceId],
    )
    expect(today.body.handled).toBe(rows[0].answers)
    expectProportionate(today.plans, 'tasks', 5_001)
  })
})
