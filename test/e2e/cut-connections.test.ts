import { setTimeout as sleep } from 'node:timers/promises'
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

async function terminateConnections(): Promise<void> {
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  )
}

test('connections terminated by PostgreSQL fail only their requests, never the service or what it has acknowledged', async () => {
  const acknowledged: string[] = []
  const statuses = new Set<number>()
  let isRunning = true
  const senders = Array.from({ length: 8 }, async () => {
    while (isRunning) {
      const { status, body } = await acme.agent.post('/tasks', taskPayload())
      statuses.add(status)
      if (status === 201) acknowledged.push(body.taskId)
    }
  })
  // Pauses grow, so that requests succeed between two cuts on a slow machine, too.
  for (let cuts = 0; cuts < 20 || statuses.size < 2; cuts++) {
    await sleep(50 + 5 * cuts)
    await terminateConnections()
  }
  isRunning = false
  await Promise.all(senders)

  expect([...statuses].sort()).toEqual([201, 503])
  // The last cut may still fail requests: pooled connections notice it when they are used.
  for (const taskId of acknowledged)
    await expect.poll(async () => (await acme.agent.get(`/tasks/${taskId}`)).status).toBe(200)
})
