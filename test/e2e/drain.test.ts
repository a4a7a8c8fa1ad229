import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { startNode } from '../support/node.ts'
import { agentAt, type Node } from '../support/nodes.ts'
import { moveClock } from '../support/rows.ts'
import { insertRule } from '../support/rules.ts'
import {
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testSecrets,
} from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

const token = 'token-of-the-scraper'
let service: TestService
let acme: TestWorkspace
let node: Node
let metricsUrl: string
beforeAll(async () => {
  service = await startService()
  acme = await service.workspace()
  const port = await freePort()
  metricsUrl = `http://127.0.0.1:${port}/metrics`
  node = await start({ METRICS_PORT: String(port), METRICS_TOKEN: token })
})
afterAll(async () => {
  await node?.kill()
  await service?.stop()
})

const start = (environment: Record<string, string> = {}) =>
  startNode({ DATABASE_URL: service.databaseUrl, ...testSecrets, ...environment })

describe('metrics', () => {
  test('say how many tasks wait for people, how many are late, how old the oldest is, and how many rules are active', async () => {
    const busy = await service.workspace()
    for (const [i, state] of (['active', 'active', 'paused', 'ended'] as const).entries())
      await insertRule(service.databaseUrl, busy.workspaceId, {
        ruleId: `rul_${String(i).repeat(26)}`,
        state,
      })
    await busy.owner.post('/policies', { type: 'refund-approval', answerWithinMinutes: 5 })
    for (const priority of ['urgent', 'urgent', 'low'])
      await busy.agent.post('/tasks', taskPayload({ priority }))
    await moveClock(service.databaseUrl, '10 minutes')
    const { taskId } = (await busy.agent.post('/tasks', taskPayload({ priority: 'low' }))).body
    const ofUrgent = `{workspace="${busy.workspaceId}",priority="urgent"}`
    const ofLow = `{workspace="${busy.workspaceId}",priority="low"}`
    await vi.waitFor(async () => {
      const text = await (await fetch(metricsUrl)).text()
      const lines = text.split('\n')
      expect(lines).toEqual(
        expect.arrayContaining([
          `handrail_open_tasks${ofUrgent} 2`,
          `handrail_late_tasks${ofUrgent} 2`,
          `handrail_open_tasks${ofLow} 2`,
          `handrail_late_tasks${ofLow} 1`,
        ]),
      )
      const [, age] = text.split(`handrail_oldest_open_task_seconds${ofUrgent} `)
      expect(Number.parseFloat(age!)).toBeGreaterThan(599)
      const rules = `handrail_rules{workspace="${busy.workspaceId}"`
      expect(lines.filter((line) => line.startsWith(rules)).sort()).toEqual([
        `${rules},state="active"} 2`,
        `${rules},state="paused"} 1`,
      ])
    }, waitOptions)
    await busy.agent.post(`/tasks/${taskId}/cancel`)
  })

  test('are served on their own port, and on the main port with the token', async () => {
    const agent = agentAt(node.url, acme)
    // The duration of a wait is not a latency, also if it ends with an error.
    expect((await agent.get('/tasks/tsk_0123456789abcdefghjkmnpqrs?waitSeconds=50')).status).toBe(404)
    const { taskId } = (await agent.post('/tasks', taskPayload())).body
    const waiting = agent.get(`/tasks/${taskId}?waitSeconds=50`)
    await vi.waitFor(async () => {
      expect(await (await fetch(metricsUrl)).text()).toContain('\nhandrail_open_waits 1\n')
    }, waitOptions)
    await agent.post(`/tasks/${taskId}/cancel`)
    expect((await waiting).status).toBe(200)

    const onMain = (authorization?: string) =>
      fetch(`${node.url}/metrics`, { headers: { ...(authorization && { authorization }) } })
    for (const read of [() => fetch(metricsUrl), () => onMain(`Bearer ${token}`)]) {
      // Requests are counted after their response.
      await vi.waitFor(async () => {
        const response = await read()
        expect(response.status).toBe(200)
        expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
        const text = await response.text()
        expect(text).not.toContain('route="/tasks/{taskId}"')
        expect(text.split('\n')).toEqual(
          expect.arrayContaining([
            'handrail_open_waits 0',
            'handrail_tasks_created_total 1',
            'handrail_tasks_ended_total{status="cancelled"} 1',
            'handrail_http_request_seconds_count{method="POST",route="/tasks",status="201"} 1',
          ]),
        )
      }, waitOptions)
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

describe('SIGTERM', () => {
  const createTask = async () => (await acme.agent.post('/tasks', taskPayload())).body.taskId as string

  /** Sends a request without the end of its body, which the returned function sends. */
  async function beginTask() {
    const body = JSON.stringify(taskPayload({}, { name: 'Sent slowly' }))
    const sending = request(`${node.url}/api/v1/tasks`, {
      method: 'POST',
      headers: { 'x-api-key': acme.apiKey, 'content-type': 'application/json', expect: '100-continue' },
    })
    const responded = once(sending, 'response')
    responded.catch(() => {}) // reported by the returned function
    sending.flushHeaders()
    // The server has the request in progress.
    await once(sending, 'continue')
    sending.write(body.slice(0, 20))
    return async () => {
      sending.end(body.slice(20))
      const [response] = await responded
      return { status: response.statusCode, body: JSON.parse(await text(response)) }
    }
  }

  /** Polls /health like a load balancer, on a new connection each time, until it is not 200. */
  async function untilDraining(): Promise<Response> {
    for (;;) {
      const response = await fetch(`${node.url}/health`, { headers: { connection: 'close' } })
      if (response.status !== 200) return response
      await sleep(10)
    }
  }

  test('finishes all requests in progress, reports draining in /health, and exits with 0', async () => {
    const taskId = await createTask()
    const waiting = agentAt(node.url, acme).get(`/tasks/${taskId}?waitSeconds=50`)
    const stream = await fetch(`${node.url}/api/v1/inbox/events?workspace=${acme.workspaceId}`, {
      headers: { cookie: acme.owner.cookie },
    })
    const streamed = stream.text() // rejects if the connection is aborted
    const finishTask = await beginTask()
    expect(await (await fetch(`${node.url}/health`)).json()).toMatchObject({ status: 'ok' })

    // Ctrl+C also ends `tee` in `npm start | tee log`, so the service may have nobody to tell.
    node.closeOutput()
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
    expect(await streamed).toMatch(/^retry: \d+\n/)
    // Longer than new requests are still accepted: requests in progress get more time.
    await sleep(1_500)
    expect(exited).toBe(false)
    const slow = await finishTask()
    expect(slow.status).toBe(201)
    expect(await stopped).toBe(0)

    // A restart on the same port finds everything unchanged.
    const { port } = new URL(node.url)
    const next = await startService({ DATABASE_URL: service.databaseUrl, PORT: port })
    const { body } = await agentAt(`http://127.0.0.1:${port}`, acme).get(`/tasks/${slow.body.taskId}`)
    await next.stop()
    expect(body.name).toBe('Sent slowly')
  })

  /** Stops a node under load by clients that stop when /health says so. */
  async function stopUnderLoad() {
    node = await start()
    const agent = agentAt(node.url, acme)
    const statuses: number[] = []
    const failures: unknown[] = []
    let isSending = true
    const clients = Array.from({ length: 5 }, async () => {
      while (isSending) {
        const response = await agent.post('/tasks', taskPayload()).catch((error: unknown) => {
          failures.push(error)
        })
        if (response) statuses.push(response.status)
      }
    })
    await vi.waitFor(() => expect(statuses.length).toBeGreaterThan(10), waitOptions)
    const signalledAt = performance.now()
    const stopped = node.stop()
    await untilDraining().catch(() => undefined)
    const noticeMilliseconds = performance.now() - signalledAt
    isSending = false
    await Promise.all(clients)
    return { exitCode: await stopped, failures, statuses, noticeMilliseconds }
  }

  test('fails no request of clients that respect /health', async () => {
    let run = await stopUnderLoad()
    // New requests are accepted for one second. Where the clients noticed later, the run proves
    // nothing.
    for (let tries = 1; run.noticeMilliseconds > 800 && tries < 5; tries++) run = await stopUnderLoad()
    expect(run.exitCode).toBe(0)
    expect(run.failures).toEqual([])
    expect(new Set(run.statuses)).toEqual(new Set([201]))
  })

  test('twice stops immediately', async () => {
    node = await start()
    const finishTask = await beginTask()
    void node.stop()
    // A second signal that arrives before the first was handled would be merged with it.
    await vi.waitFor(() => expect(node.output()).toContain('finishing open requests'), waitOptions)
    const code = await node.stop()
    expect(code).toBe(1)
    await expect(finishTask()).rejects.toThrow()
  })
})
