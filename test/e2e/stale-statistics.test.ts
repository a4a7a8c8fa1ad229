import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPlanReader, withAutoExplain } from '../support/auto-explain.ts'
import { insertHandled } from '../support/handled-tasks.ts'
import {
  createMigratedDatabase,
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
} from '../support/service.ts'
import { query, turnAutovacuumOff } from '../support/sql.ts'

// Statistics can be old: PostgreSQL analyzes a large table rarely, perhaps while the inbox is
// empty. Autovacuum is off here, so the only statistics are those of the explicit ANALYZE of an
// inbox without open tasks.

const openTasks = 600

let database: Awaited<ReturnType<typeof createMigratedDatabase>> | undefined
let service: TestService
let acme: TestWorkspace
let plansDuring: ReturnType<typeof createPlanReader>
let taskIds: string[]

beforeAll(async () => {
  database = await createMigratedDatabase()
  await turnAutovacuumOff(database.url)
  service = await startService({ DATABASE_URL: withAutoExplain(database.url) }, ['--only', 'backend'])
  acme = await service.workspace()
  await insertHandled(
    database.url,
    acme.workspaceId,
    Array.from({ length: 100 }, () => ({})),
  )
  await query(database.url, 'VACUUM ANALYZE')
  taskIds = await create(openTasks)
  plansDuring = createPlanReader(service.app.service.database.pool)
})
afterAll(async () => {
  await service?.stop()
  await database?.drop()
})

async function create(count: number): Promise<string[]> {
  const batches = await Promise.all(
    Array.from({ length: count / 100 }, () =>
      acme.agent.post('/tasks/batch', { tasks: Array(100).fill(taskPayload()) }),
    ),
  )
  return batches.flatMap(({ body }) =>
    body.results.map(({ task }: { task: { taskId: string } }) => task.taskId),
  )
}

const approve = (taskId: string) => acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })

/** The largest number of rows that one scan of these tables reads. */
async function maxRowsRead(
  work: () => Promise<{ status: number }>,
  tables: string[] = ['tasks'],
): Promise<number> {
  const plans = await plansDuring(async () => expect((await work()).status).toBe(200))
  const reads = plans.flatMap((plan) => plan.reads.filter(({ table }) => tables.includes(table)))
  expect(reads).not.toEqual([])
  return Math.max(...reads.map(({ rows }) => rows))
}

test('with statistics of an empty inbox, a page of the inbox reads about a page of tasks', async () => {
  expect(await maxRowsRead(() => acme.owner.get('/inbox?limit=50'))).toBeLessThan(2 * 51)
})

test.each([
  '/inbox?limit=50&type=refund-approval',
  '/inbox?limit=50&priority=normal',
  '/inbox?limit=50&q=parcel',
  '/inbox/facets',
  '/tasks?limit=50&status=open',
  '/tasks?limit=50&status=open&type=refund-approval',
])('with statistics of an empty inbox, %s reads every open task at most once', async (path) => {
  expect(await maxRowsRead(() => acme.owner.get(path))).toBeLessThan(2 * openTasks)
})

test('with statistics of an empty inbox, an answer reads only its own task, also in a thread of several', async () => {
  const written = ['tasks', 'threads', 'task_contents', 'claims', 'drafts']
  expect(await maxRowsRead(() => approve(taskIds[0]!), written)).toBeLessThan(5)
  const [first] = await Promise.all(
    Array.from({ length: 3 }, () => acme.agent.post('/tasks', taskPayload({ threadId: 'one thread' }))),
  )
  expect(await maxRowsRead(() => approve(first!.body.taskId), written)).toBeLessThan(5)
})
