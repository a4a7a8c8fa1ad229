import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { callAs } from '../support/http.ts'
import { connectMcpClient } from '../support/mcp-client.ts'
import { storedEvent } from '../support/mcp-webhook.ts'
import {
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testSecrets,
} from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

describe('routes for the MCP entry point only', () => {
  let service: TestService
  let acme: TestWorkspace
  let other: TestWorkspace
  beforeAll(async () => {
    service = await startService({ RATE_LIMIT: '1', RATE_BURST: '40' })
    acme = await service.workspace()
    other = await service.workspace()
  })
  afterAll(() => service.stop())

  const token = { 'handrail-internal': testSecrets.SERVICE_MCP_INTERNAL_TOKEN }
  const digestOf = (key: string) => createHmac('sha256', testSecrets.API_KEY_PEPPER).update(key).digest('hex')
  const request = async (path: string, body?: unknown, headers: Record<string, string> = token) => {
    const response = await fetch(`${service.url}/internal${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const newTask = async (more: Record<string, unknown> = {}): Promise<string> =>
    (await acme.agent.post('/tasks', taskPayload(more))).body.taskId

  test('return which of many keys are still valid', async () => {
    const revoked = (await acme.owner.post('/api-keys', { name: 'short-lived' })).body
    await acme.owner.delete(`/api-keys/${revoked.keyId}`)
    const good = [acme.apiKey, other.apiKey].map(digestOf)
    const digests = [...good, digestOf(revoked.key), digestOf('hrl_never')]
    const answer = await request('/keys', { digests })
    expect(answer.status).toBe(200)
    expect([...(answer.body.good as string[])].sort()).toEqual([...good].sort())
  })

  test('accept a limited number of keys, and only digests', async () => {
    const digest = digestOf(acme.apiKey)
    expect((await request('/keys', { digests: Array.from({ length: 1_000 }, () => digest) })).status).toBe(
      200,
    )
    expect((await request('/keys', { digests: Array.from({ length: 1_001 }, () => digest) })).status).toBe(
      400,
    )
    expect((await request('/keys', { digests: ["' OR true --"] })).status).toBe(400)
  })

  test('wait for a task, only within its workspace', async () => {
    const taskId = await newTask()
    const path = (workspaceId: string, seconds = 0) =>
      `/tasks/${taskId}/wait?workspaceId=${workspaceId}&waitSeconds=${seconds}`
    expect(await request(path(acme.workspaceId))).toMatchObject({ status: 200, body: { status: 'open' } })
    expect((await request(path(other.workspaceId))).status).toBe(404)
    expect((await request(path('wsp_1'))).status).toBe(400)
    expect((await request(path(acme.workspaceId, 51))).status).toBe(400)
    const waiting = request(path(acme.workspaceId, 30))
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    expect(await waiting).toMatchObject({ body: { status: 'handled' } })
  })

  test('wait for questions after the one that was named, not for an older one that is still open', async () => {
    const taskId = await newTask({ acceptsQuestions: true })
    const ask = async (text: string): Promise<string> =>
      (await acme.owner.post(`/tasks/${taskId}/questions`, { text, kind: 'question' })).body.questionId
    const waited = async (afterQuestion: string) =>
      (
        await request(
          `/tasks/${taskId}/wait?workspaceId=${acme.workspaceId}&waitSeconds=0&afterQuestion=${afterQuestion}`,
        )
      ).body
    const [older, newer] = [await ask('Which card?'), await ask('Which order?')]
    expect(await waited(older)).toEqual({ status: 'open', question: newer })
    await acme.agent.post(`/tasks/${taskId}/updates`, { message: '58213', answers: newer })
    // Otherwise a subscription would notify its client a second time of the older question.
    expect(await waited(newer)).toEqual({ status: 'open' })
    expect(await waited(older)).toEqual({ status: 'open' })
  })

  test('return the stored event of a push by its id and task, unchanged, and none of another task', async () => {
    const [taskId, other] = [await newTask(), await newTask()]
    const stored = await storedEvent(service.databaseUrl, taskId)
    const path = (task: string, eventId: string) => `/tasks/${task}/webhook?eventId=${eventId}`
    expect(await request(path(taskId, stored.eventId))).toMatchObject({
      status: 200,
      body: { workspaceId: acme.workspaceId, secrets: [acme.webhookSecret], event: JSON.stringify(stored) },
    })
    for (const absent of [
      path(other, stored.eventId),
      path(taskId, 'evt_none'),
      `/tasks/${taskId}/webhook`,
    ]) {
      const { status, body } = await request(absent)
      expect(status).toBe(200)
      expect(body).not.toHaveProperty('event')
    }
  })

  test('reject an API key and a wrong token', async () => {
    const paths = [`/keys/${digestOf(acme.apiKey)}`, `/tasks/${await newTask()}/wait?workspaceId=x`]
    for (const headers of [{}, { 'x-api-key': acme.apiKey }, { 'handrail-internal': 'guess' }] as never[]) {
      for (const path of paths) expect((await request(path, undefined, headers)).status).toBe(401)
      expect((await request('/keys', { digests: [] }, headers)).status).toBe(401)
    }
  })

  test('make a subscription count as one request of the key, however long it lasts', async () => {
    const { key } = (await acme.owner.post('/api-keys', { name: 'listener' })).body
    const uris = await Promise.all(Array.from({ length: 10 }, async () => `task://${await newTask()}`))
    const client = await connectMcpClient(service.url, key, { versionNegotiation: { mode: 'auto' } })
    const subscription = await client.listen({ resourceSubscriptions: uris })
    const openWaits = async () => (await service.app.service.metrics.waits.get()).values[0]!.value
    await vi.waitUntil(async () => (await openWaits()) === 10, waitOptions)
    const { headers } = await callAs(service.url, { 'x-api-key': key }).get('/me')
    // 12 of 40 are used: server/discover, ten tasks, and this request.
    expect(headers.get('ratelimit')).toMatch(/;r=28;/)
    await subscription.close()
    await client.close()
  })
})
