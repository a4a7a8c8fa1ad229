import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { agentAt, personAt } from '../support/nodes.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

async function openWaits(service: TestService): Promise<number> {
  const { values } = await service.app.service.metrics.waits.get()
  return values[0]?.value ?? 0
}

describe('a wait', () => {
  let service: TestService
  let node: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    node = await startService({ DATABASE_URL: service.databaseUrl })
    acme = await service.workspace()
  })
  afterAll(async () => {
    await node?.stop()
    await service?.stop()
  })

  const createTask = async () => (await acme.agent.post('/tasks', taskPayload())).body.taskId as string
  const waitsAre = (count: number) =>
    vi.waitFor(async () => expect(await openWaits(service)).toBe(count), waitOptions)

  async function timed<T>(work: Promise<T>) {
    const startedAt = performance.now()
    return { result: await work, seconds: (performance.now() - startedAt) / 1000 }
  }

  test.each(['the same node', 'another node'])(
    'ends by a wake-up when the task is handled in %s',
    async (where) => {
      const taskId = await createTask()
      // Without the sweep that finds lost wake-ups, only a wake-up ends the wait.
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      onTestFinished(() => void vi.useRealTimers())
      const waiting = acme.agent.get(`/tasks/${taskId}?waitSeconds=50&include=actions,updates`)
      await expect.poll(() => openWaits(service)).toBe(1)
      // Other events of the task wake the waiter, but do not end its wait.
      await acme.agent.post(`/tasks/${taskId}/updates`, { message: 'Still here' })
      await sleep(200)
      expect(await openWaits(service)).toBe(1)

      const url = where === 'the same node' ? service.url : node.url
      const handling = await personAt(url, acme, acme.owner).post(`/tasks/${taskId}/handle`, {
        actionId: 'approve',
      })
      const result = await waiting
      expect(result).toMatchObject({
        status: 200,
        body: { taskId, status: 'handled', updates: [{ message: 'Still here' }] },
      })
      expect(result.body.handled).toEqual(handling.body.handled)
      expect(result.body.actions).toHaveLength(2)
    },
  )

  test('ends when the task is cancelled', async () => {
    const taskId = await createTask()
    const waiting = acme.agent.get(`/tasks/${taskId}?waitSeconds=50`)
    await waitsAre(1)
    await agentAt(node.url, acme).post(`/tasks/${taskId}/cancel`)
    expect((await waiting).body.status).toBe('cancelled')
  })

  test('returns the open record after the timeout', async () => {
    const taskId = await createTask()
    const { result, seconds } = await timed(acme.agent.get(`/tasks/${taskId}?waitSeconds=1`))
    expect(result).toMatchObject({ status: 200, body: { taskId, status: 'open' } })
    expect(seconds).toBeGreaterThan(0.95)
    expect(seconds).toBeLessThan(40)
  })

  test('returns immediately for an ended or missing task', async () => {
    const taskId = await createTask()
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    const strangers = await service.workspace()
    const answers = await Promise.all([
      acme.agent.get(`/tasks/${taskId}?waitSeconds=50`),
      acme.agent.get(`/tasks/tsk_01k9ztqv7e4m8c2n5w6x3y0abd?waitSeconds=50`),
      strangers.agent.get(`/tasks/${await createTask()}?waitSeconds=50`),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404])
    await waitsAre(0)
  })

  test('is clamped to 50 seconds and rejected if it is not an integer', async () => {
    const taskId = await createTask()
    const startWait = vi.spyOn(service.app.service.waits, 'startWait')
    const caller = new AbortController()
    const waiting = fetch(`${service.url}/api/v1/tasks/${taskId}?waitSeconds=999`, {
      headers: { 'x-api-key': acme.apiKey },
      signal: caller.signal,
    })
    await waitsAre(1)
    expect(startWait.mock.calls.map(([, , seconds]) => seconds)).toEqual([50])
    startWait.mockRestore()
    caller.abort()
    await expect(waiting).rejects.toThrow('aborted')

    expect((await acme.agent.get(`/tasks/${taskId}?waitSeconds=-3`)).body.status).toBe('open')
    for (const wrong of ['soon', '1.5']) {
      expect(await acme.agent.get(`/tasks/${taskId}?waitSeconds=${wrong}`)).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'waitSeconds' }] },
      })
    }
  })

  test('is cancelled when the caller disconnects', async () => {
    const taskId = await createTask()
    const callers = Array.from({ length: 20 }, () => new AbortController())
    const waiting = callers.map(({ signal }) =>
      fetch(`${service.url}/api/v1/tasks/${taskId}?waitSeconds=50`, {
        headers: { 'x-api-key': acme.apiKey },
        signal,
      }).catch((error: Error) => error.name),
    )
    await waitsAre(20)
    for (const caller of callers) caller.abort()
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['AbortError']))
    await waitsAre(0)
  })

  test('does not make Node warn about a leak with thirty concurrent waits', async () => {
    const warnings: string[] = []
    const warn = ({ name }: Error) => warnings.push(name)
    process.on('warning', warn)
    const own = await startService({ DATABASE_URL: service.databaseUrl })
    const taskId = await createTask()
    const waiting = Array.from({ length: 30 }, () =>
      agentAt(own.url, acme).get(`/tasks/${taskId}?waitSeconds=50`),
    )
    await vi.waitFor(async () => expect(await openWaits(own)).toBe(30), waitOptions)
    await acme.agent.post(`/tasks/${taskId}/cancel`)
    await Promise.all(waiting)
    await own.stop()
    process.off('warning', warn)
    expect(warnings).not.toContain('MaxListenersExceededWarning')
  })

  test('needs no polling, and ends at a sweep when its wake-up was lost', async () => {
    const taskIds = await Promise.all(Array.from({ length: 50 }, createTask))
    let queries = 0
    const count = () => {
      queries += 1
    }
    const { pool } = service.app.service.database
    pool.on('acquire', count)
    const waiting = taskIds.map((taskId) => acme.agent.get(`/tasks/${taskId}?waitSeconds=50`))
    await waitsAre(50)
    expect(queries).toBeGreaterThan(0)
    const queriesPerSecond = async () => {
      queries = 0
      const { seconds } = await timed(sleep(3_000))
      return queries / seconds
    }
    // If each of the fifty polled once per second, there would be 50. What remains is one sweep for
    // all, a check of the API key now and then, and the jobs with about ten queries per second.
    await expect.poll(queriesPerSecond, { timeout: 30_000 }).toBeLessThan(25)
    pool.off('acquire', count)

    const ended = timed(Promise.all(waiting))
    // As if the process had died between its commit and its wake-up.
    await query(
      service.databaseUrl,
      `UPDATE tasks SET status = 'cancelled', ended_at = app_now() WHERE id = ANY ($1)`,
      [taskIds],
    )
    const { result, seconds } = await ended
    expect(new Set(result.map(({ body }) => body.status))).toEqual(new Set(['cancelled']))
    expect(seconds).toBeLessThan(30) // long before their own 50 s
    await waitsAre(0)
  })

  test('returns the current record when the service drains', async () => {
    const draining = await startService({ DATABASE_URL: service.databaseUrl })
    const taskId = await createTask()
    const waiting = timed(agentAt(draining.url, acme).get(`/tasks/${taskId}?waitSeconds=50`))
    await vi.waitFor(async () => expect(await openWaits(draining)).toBe(1), waitOptions)
    const stopped = draining.stop()
    const { result, seconds } = await waiting
    expect(result).toMatchObject({ status: 200, body: { taskId, status: 'open' } })
    expect(result.headers.get('connection')).toBe('close')
    expect(seconds).toBeLessThan(40)
    await stopped
  })
})
