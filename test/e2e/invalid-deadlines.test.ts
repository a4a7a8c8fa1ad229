import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

describe('an invalid deadline is rejected when the task is created', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
  })
  afterAll(() => service.stop())

  const inOneHour = { expiresInSeconds: 3_600 }
  test.each<[string, Record<string, unknown>, string]>([
    ['an unknown action', { ...inOneHour, onExpire: { actionId: 'postpone' } }, 'onExpire.actionId'],
    ['a reserved action', { ...inOneHour, onExpire: { actionId: 'service:mark-done' } }, 'onExpire.actionId'],
    [
      'a required field is missing',
      { ...inOneHour, onExpire: { actionId: 'decline' } },
      'onExpire.data.reason',
    ],
    [
      'a field of another type',
      { ...inOneHour, onExpire: { actionId: 'decline', data: { reason: 7 } } },
      'onExpire.data.reason',
    ],
    [
      'an undeclared field',
      { ...inOneHour, onExpire: { actionId: 'decline', data: { reason: 'x', more: 1 } } },
      'onExpire.data.more',
    ],
    [
      'data for an action without a form',
      { ...inOneHour, onExpire: { actionId: 'approve', data: { a: 1 } } },
      'onExpire.data',
    ],
    [
      'data that is not an object',
      { ...inOneHour, onExpire: { actionId: 'decline', data: 'x' } },
      'onExpire.data',
    ],
    [
      'more data than an answer takes',
      { ...inOneHour, onExpire: { actionId: 'decline', data: { reason: 'x'.repeat(300_000) } } },
      'onExpire.data',
    ],
    ['no deadline', { onExpire: { actionId: 'approve' } }, 'expiresInSeconds'],
    ['too soon', { expiresInSeconds: 59 }, 'expiresInSeconds'],
    ['too late', { expiresInSeconds: 2_592_001 }, 'expiresInSeconds'],
  ])('%s', async (_, more, path) => {
    expect(await acme.agent.post('/tasks', taskPayload(more))).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path }] },
    })
    expect((await acme.agent.get('/tasks')).body.tasks).toEqual([])
  })
})
