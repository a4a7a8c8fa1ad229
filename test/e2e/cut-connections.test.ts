import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

let service: TestService
let acme: TestWorkspace
let admin: pg.Client

beforeAll(async () => {
  service = await startService()
  acme = await service.workspace()
  admin = new pg.Client({ connectionString: service.databaseUrl, application_name: 'admin of the test' })
  await admin.connect()
})
afterAll(async () => {
  await admin.end()
  await service.stop()
})

async function cutAll(): Promise<void> {
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  )
}

test('connections terminated by PostgreSQL fail only their requests, never the service or what it has acknowledged', async () => {
  const confirmed: string[] = []
  const statuses = new Set<number>()
  let cutting = true
  const senders = Array.from({ length: 8 }, async () => {
    while (cutting) {
      const { status, body } = await acme.agent.post('/tasks', taskPayload())
      statuses.add(status)
      if (status === 201) confirmed.push(body.taskId)
    }
  })
  for (let time = 0; time < 20; time++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    await cutAll()
  }
  cutting = false
  await Promise.all(senders)

  // Each refusal says that it passes.
  expect([...statuses].sort()).toEqual([201, 503])
  for (const taskId of confirmed) expect((await acme.agent.get(`/tasks/${taskId}`)).status).toBe(200)
})
