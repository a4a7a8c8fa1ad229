import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { startNode } from '../support/node.ts'
import { agentAt, type Node } from '../support/nodes.ts'
import {
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testSecrets,
} from '../support/service.ts'

describe('SIGTERM', () => {
  let service: TestService
  let acme: TestWorkspace
  let node: Node
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
  })
  afterAll(async () => {
    await node?.kill()
    await service?.stop()
  })

  const start = (port = 0) => startNode({ DATABASE_URL: service.databaseUrl, ...testSecrets }, port)
  const createTask = async () => (await acme.agent.post('/tasks', taskPayload())).body.taskId as string

  /** A request whose body is still on its way: it ends when the test sends the rest. */
  async function beginTask() {
    const body = JSON.stringify(taskPayload({}, { name: 'Sent slowly' }))
    const sending = request(`${node.url}/api/v1/tasks`, {
      method: 'POST',
      headers: { 'x-api-key': acme.apiKey, 'content-type': 'application/json' },
    })
    const answered = once(sending, 'response')
    answered.catch(() => {}) // whoever finishes it hears of it
    sending.write(body.slice(0, 20))
    await sleep(200)
    return async () => {
      sending.end(body.slice(20))
      const [response] = await answered
      return { status: response.statusCode, body: JSON.parse(await text(response)) }
    }
  }

  /** What a load balancer does: asks on a new connection each time, until it hears that it must stop. */
  async function untilDraining(): Promise<Response> {
    for (;;) {
      const answer = await fetch(`${node.url}/health`, { headers: { connection: 'close' } })
      if (answer.status !== 200) return answer
      await sleep(10)
    }
  }

  test('finishes all requests in progress, reports draining in /health, and exits with 0', async () => {
    node = await start()
    const taskId = await createTask()
    const waiting = agentAt(node.url, acme).get(`/tasks/${taskId}?waitSeconds=50`)
    const stream = await fetch(`${node.url}/api/v1/inbox/events?workspace=${acme.workspaceId}`, {
      headers: { cookie: acme.owner.cookie },
    })
    const told = stream.text() // rejects if the stream is cut rather than ended
    const finishTask = await beginTask()
    expect(await (await fetch(`${node.url}/health`)).json()).toMatchObject({ status: 'ok' })

    let exited = false
    const stopped = node.stop().then((code) => {
      exited = true
      return code
    })
    const health = await untilDraining()
    expect({ status: health.status, body: await health.json() }).toMatchObject({
      status: 503,
      body: { status: 'draining' },
    })
    expect(await waiting).toMatchObject({ status: 200, body: { taskId, status: 'open' } })
    expect(await told).toMatch(/^retry: \d+\n/)
    // Longer than the door stays open for new ones: what is under way has more time than that.
    await sleep(1_500)
    expect(exited).toBe(false)
    const slow = await finishTask()
    expect(slow.status).toBe(201)
    expect(await stopped).toBe(0)

    // The next start finds everything as it was left, on the same port.
    const { url } = node
    node = await start(Number(new URL(url).port))
    expect(node.url).toBe(url)
    expect((await agentAt(url, acme).get(`/tasks/${slow.body.taskId}`)).body.name).toBe('Sent slowly')
    expect(await node.stop()).toBe(0)
  })

  test('fails no request of clients that respect /health', async () => {
    node = await start()
    const agent = agentAt(node.url, acme)
    const statuses: number[] = []
    const failures: unknown[] = []
    let going = true
    const clients = Array.from({ length: 5 }, async () => {
      while (going) {
        const answer = await agent.post('/tasks', taskPayload()).catch((error: unknown) => {
          failures.push(error)
        })
        if (answer) statuses.push(answer.status)
      }
    })
    await vi.waitFor(() => expect(statuses.length).toBeGreaterThan(10), 20_000)
    const stopped = node.stop()
    await untilDraining()
    going = false
    await Promise.all(clients)
    expect(await stopped).toBe(0)
    expect(failures).toEqual([])
    expect(new Set(statuses)).toEqual(new Set([201]))
  })

  test('twice stops immediately', async () => {
    node = await start()
    const finishTask = await beginTask()
    void node.stop()
    await sleep(1_500)
    const code = await node.stop()
    expect(code).toBe(1)
    await expect(finishTask()).rejects.toThrow()
  })
})

describe('metrics', () => {
  let service: TestService
  let acme: TestWorkspace
  let node: Node
  let metricsUrl: string
  const token = 'token-of-the-scraper'
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    const port = await freePort()
    metricsUrl = `http://127.0.0.1:${port}/metrics`
    node = await startNode({
      DATABASE_URL: service.databaseUrl,
      ...testSecrets,
      METRICS_PORT: String(port),
      METRICS_TOKEN: token,
    })
  })
  afterAll(async () => {
    await node?.kill()
    await service?.stop()
  })

  test('are served on their own port, and on the main port with the token', async () => {
    const agent = agentAt(node.url, acme)
    const { taskId } = (await agent.post('/tasks', taskPayload())).body
    const waiting = agent.get(`/tasks/${taskId}?waitSeconds=50`)
    await vi.waitFor(async () => {
      expect(await (await fetch(metricsUrl)).text()).toContain('\nhandrail_open_waits 1\n')
    }, 10_000)
    await agent.post(`/tasks/${taskId}/cancel`)
    expect((await waiting).status).toBe(200)

    const onMain = (authorization?: string) =>
      fetch(`${node.url}/metrics`, { headers: { ...(authorization && { authorization }) } })
    for (const answer of [await fetch(metricsUrl), await onMain(`Bearer ${token}`)]) {
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
      const lines = (await answer.text()).split('\n')
      expect(lines).toContain('handrail_open_waits 0')
      expect(lines).toContain('handrail_tasks_created_total 1')
      expect(lines).toContain('handrail_tasks_ended_total{status="cancelled"} 1')
      expect(lines).toContain(
        'handrail_http_request_seconds_count{method="POST",route="/tasks",status="201"} 1',
      )
    }
    for (const wrong of [undefined, 'Bearer wrong', `Basic ${token}`, token]) {
      expect((await onMain(wrong)).status).toBe(404)
    }
  })

  test('are not served on the main port unless a token is set', async () => {
    expect((await fetch(`${service.url}/metrics`, { headers: { authorization: 'Bearer ' } })).status).toBe(
      404,
    )
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404)
  })
})
