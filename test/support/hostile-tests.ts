import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchHealth } from './health-watch.ts'
import type { Caller, TestResponse } from './http.ts'
import { startService, type TestService, type TestWorkspace } from './service.ts'

/**
 * A service for hostile requests, with a check that /health keeps responding.
 * The returned object is filled in a beforeAll hook. Call `testHealth` last.
 */
export function setUpHostileTests() {
  let service: TestService
  let health: ReturnType<typeof watchHealth>
  const target = {} as { url: string; acme: TestWorkspace; agent: Caller; owner: Caller }

  beforeAll(async () => {
    service = await startService()
    const acme = await service.workspace()
    Object.assign(target, { url: service.url, acme, agent: acme.agent, owner: acme.owner })
    health = watchHealth(service.url)
  })
  afterAll(() => service?.stop())

  return Object.assign(target, {
    testHealth: () =>
      test('/health responded during all of it', async () => {
        const { requests, slowest, failedStatuses } = await health.stop()
        expect(requests).toBeGreaterThan(5)
        expect(failedStatuses).toEqual([])
        // Not a measurement: a request that blocks the event loop would take much longer, also on a
        // busy machine.
        expect(slowest).toBeLessThan(15_000)
      }),
  })
}

/** Expects a problem document with this path among its errors. */
export function expectRejected(response: TestResponse, path: string, status = 400): void {
  expect(response).toMatchObject({ status, body: { status, requestId: expect.stringMatching(/^req_/) } })
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(response.body.errors.map((error: { path: string }) => error.path)).toContain(path)
  for (const { message } of response.body.errors) expect(message).toMatch(/^[A-Z].*[.…]$/s)
}

const taskStart = '{"task":{"type":"t","name":"N","description":"D"}'

/** The text of a task with this JSON as its context data. */
export const withData = (data: string) =>
  `${taskStart},"context":{"data":${data}},"actions":[{"id":"ok","title":"OK"}]}`
/** The text of a task with this JSON as the schema of its form. */
export const withSchema = (schema: string) =>
  `${taskStart},"actions":[{"id":"ok","title":"OK","schema":${schema}}]}`
/** The text of a task with a form of one field. */
export const withProperty = (property: unknown) =>
  withSchema(JSON.stringify({ type: 'object', properties: { x: property } }))
