import { expect, test, vi } from 'vitest'
import { startMortalPostgres } from '../support/mortal-postgres.ts'
import { startService, taskPayload } from '../support/service.ts'

test('a PostgreSQL that is frozen in the middle costs each request seconds, not for ever', async () => {
  const postgres = await startMortalPostgres()
  const service = await startService({ DATABASE_URL: postgres.url })
  const frozen: number[] = []
  try {
    const { agent, owner } = await service.workspace()
    // Several at once, so that the pool holds connections that will owe an answer.
    await Promise.all(Array.from({ length: 10 }, () => agent.post('/tasks', taskPayload())))
    frozen.push(...postgres.processes())
    for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    const answers = await Promise.all([
      agent.get('/tasks'),
      agent.post('/tasks', taskPayload()),
      owner.get('/inbox'),
    ])
    for (const { status, body } of answers) expect([status, body.code]).toEqual([503, 'unavailable'])
    expect((await fetch(`${service.url}/health`)).status).toBe(503)
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT')
    await vi.waitFor(async () => expect((await agent.get('/tasks')).status).toBe(200), { timeout: 30_000 })
    expect((await owner.get('/inbox')).status).toBe(200)
  } finally {
    for (const pid of frozen) process.kill(pid, 'SIGCONT')
    await service.stop()
    await postgres.end()
  }
}, 120_000)
