import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startNode } from '../support/node.ts'
import { agentAt } from '../support/nodes.ts'
import { startRestartablePostgres } from '../support/restartable-postgres.ts'
import { startService, taskPayload, testSecrets } from '../support/service.ts'

test.each([
  ['in the middle', 0],
  // Longer than the timeout of a stalled connection, which applies to idle ones, too.
  ['after a quiet time', 11_000],
])(
  'a PostgreSQL that is frozen %s costs each request seconds, not for ever',
  async (_, quietMilliseconds) => {
    const postgres = await startRestartablePostgres()
    const service = await startService({ DATABASE_URL: postgres.url })
    const frozen: number[] = []
    const thaw = () => {
      for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT')
    }
    // Not in a finally block, which a hanging request would prevent; a frozen server would block
    // all later runs.
    onTestFinished(async () => {
      thaw()
      await service.stop()
      await postgres.end()
    })
    const { agent, owner } = await service.workspace()
    // Several at once, so that connections of the pool have a query in progress.
    await Promise.all(Array.from({ length: 10 }, () => agent.post('/tasks', taskPayload())))
    await sleep(quietMilliseconds)
    frozen.push(...postgres.processes())
    for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => agent.get('/tasks')),
      agent.post('/tasks', taskPayload()),
      owner.get('/inbox'),
    ])
    for (const { status, body } of answers) expect([status, body.code]).toEqual([503, 'unavailable'])
    expect((await fetch(`${service.url}/health`)).status).toBe(503)
    thaw()
    await vi.waitFor(async () => expect((await agent.get('/tasks')).status).toBe(200), { timeout: 30_000 })
    expect((await owner.get('/inbox')).status).toBe(200)
  },
  120_000,
)

test('a pause of the whole machine fails no request', async () => {
  const postgres = await startRestartablePostgres()
  const service = await startService({ DATABASE_URL: postgres.url })
  const node = await startNode({ DATABASE_URL: postgres.url, ...testSecrets })
  const paused: number[] = []
  const resume = () => {
    for (const pid of paused.splice(0)) process.kill(pid, 'SIGCONT')
  }
  onTestFinished(async () => {
    resume()
    await node.kill()
    await service.stop()
    await postgres.end()
  })
  const agent = agentAt(node.url, await service.workspace())
  await Promise.all(Array.from({ length: 10 }, () => agent.post('/tasks', taskPayload())))
  const pause = (pids: number[]) => {
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    paused.unshift(...pids)
  }
  // PostgreSQL first, so that queries are in progress when the service is paused.
  pause(postgres.processes())
  const responses = Promise.all(Array.from({ length: 20 }, () => agent.get('/tasks')))
  await sleep(500)
  pause([node.pid])
  await sleep(12_000)
  // The service resumes first.
  resume()
  expect((await responses).map(({ status }) => status)).toEqual(Array(20).fill(200))
}, 120_000)
