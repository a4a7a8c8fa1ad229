import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPlanReader, withAutoExplain } from '../support/auto-explain.ts'
import { startRestartablePostgres } from '../support/restartable-postgres.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

// PostgreSQL looks at a large table seldom, maybe in a quiet night. What it saw then must not make the morning slow.

const open = 600

let postgres: Awaited<ReturnType<typeof startRestartablePostgres>> | undefined
let service: TestService
let acme: TestWorkspace
let plansDuring: ReturnType<typeof createPlanReader>
let taskIds: string[]

beforeAll(async () => {
  postgres = await startRestartablePostgres({ fsync: 'off', synchronous_commit: 'off', autovacuum: 'off' })
  service = await startService({ DATABASE_URL: withAutoExplain(postgres.url) }, ['--only', 'backend'])
  acme = await service.workspace()
  for (const taskId of await create(100)) await approve(taskId)
  const admin = new pg.Client({ connectionString: postgres.url })
  await admin.connect()
  await admin.query('VACUUM ANALYZE')
  await admin.end()
  taskIds = await create(open)
  plansDuring = createPlanReader(service.app.service.database.pool)
})
afterAll(async () => {
  await service?.stop()
  await postgres?.end()
})

async function create(count: number): Promise<string[]> {
  const made = await Promise.all(
    Array.from({ length: count }, () => acme.agent.post('/tasks', taskPayload())),
  )
  return made.map(({ body }) => body.taskId)
}

const approve = (taskId: string) => acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })

/** The most rows of tasks that one look reads. */
async function mostRead(work: () => Promise<{ status: number }>): Promise<number> {
  const plans = await plansDuring(async () => expect((await work()).status).toBe(200))
  return Math.max(
    ...plans.flatMap(({ reads }) => reads.filter(({ table }) => table === 'tasks')).map(({ rows }) => rows),
  )
}

test('a page of the inbox reads a page', async () => {
  expect(await mostRead(() => acme.owner.get('/inbox?limit=50'))).toBeLessThan(2 * 51)
})

test.each([
  '/inbox?limit=50&type=refund-approval',
  '/inbox?limit=50&priority=normal',
  '/inbox?limit=50&q=parcel',
  '/inbox/facets',
  '/tasks?limit=50&status=open',
  '/tasks?limit=50&status=open&type=refund-approval',
])('%s reads every open task once at most', async (path) => {
  expect(await mostRead(() => acme.owner.get(path))).toBeLessThan(2 * open)
})

test('an answer reads its own task, alone and among others of its thread', async () => {
  expect(await mostRead(() => approve(taskIds[0]!))).toBeLessThan(5)
  const [first] = await Promise.all(
    Array.from({ length: 3 }, () => acme.agent.post('/tasks', taskPayload({ threadId: 'one thread' }))),
  )
  expect(await mostRead(() => approve(first!.body.taskId))).toBeLessThan(5)
})
