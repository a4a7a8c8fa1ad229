import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

describe('tasks that a person answers at once carry the id of the bulk answer', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
  })
  afterAll(() => service.stop())

  const create = async (more: Record<string, unknown> = {}): Promise<string> =>
    (await acme.agent.post('/tasks', taskPayload(more))).body.taskId
  const exported = async (): Promise<Record<string, string | undefined>> => {
    const { body } = await acme.owner.get('/export?format=jsonl')
    const tasks = (body as string).trimEnd().split('\n')
    return Object.fromEntries(
      tasks.map((line) => JSON.parse(line)).map(({ taskId, handled }) => [taskId, handled.bulkId]),
    )
  }

  test('with every verb, and also if the task has a review', async () => {
    const [mara, ben] = [await acme.person('member', 'Mara'), await acme.person('member', 'Ben')]
    const [handled, rejected, done, single] = [await create(), await create(), await create(), await create()]
    const reviewed = await create({ review: { needed: 2 } })
    const bulkId = 'Bulk_1-a'
    const sent = [
      await acme.owner.post(`/tasks/${handled}/handle`, { actionId: 'approve', bulkId }),
      await acme.owner.post(`/tasks/${rejected}/reject`, { feedback: 'Wrong customer.', bulkId }),
      await acme.owner.post(`/tasks/${done}/mark-done`, { bulkId }),
      await acme.owner.post(`/tasks/${single}/mark-done`, {}),
      await ben.post(`/tasks/${reviewed}/handle`, { actionId: 'approve', bulkId }),
      await mara.post(`/tasks/${reviewed}/handle`, { actionId: 'approve', bulkId }),
    ]
    expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 200))
    expect(await exported()).toEqual({
      [handled!]: bulkId,
      [rejected!]: bulkId,
      [done!]: bulkId,
      [single!]: undefined,
      [reviewed]: bulkId,
    })
  })

  test('an id with other characters or more than 64 is refused, and the task stays open', async () => {
    const taskId = await create()
    for (const bulkId of ['two words', 'a'.repeat(65), 'é', 7])
      expect(await acme.owner.post(`/tasks/${taskId}/mark-done`, { bulkId }), String(bulkId)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ path: 'bulkId', message: expect.any(String) }] },
      })
    const refused = await acme.owner.post(`/tasks/${taskId}/mark-done`, { bulkId: 'two words' })
    expect(refused.body.errors[0].message).toBe('Must be 1 to 64 letters, digits, "_" or "-".')
    expect((await acme.agent.get(`/tasks/${taskId}`)).body.status).toBe('open')
  })
})
