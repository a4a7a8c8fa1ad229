import { afterAll, beforeAll, expect } from 'vitest'
import { startService, type TestService, type TestWorkspace, taskPayload } from './service.ts'

export type Someone = Awaited<ReturnType<TestWorkspace['person']>>

/** Two people of the group finance must give the same answer. */
export const fourEyes = { review: { by: ['group:finance'], needed: 2 } }

export const approve = (who: Pick<Someone, 'post'>, taskId: string) =>
  who.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
export const decline = (who: Pick<Someone, 'post'>, taskId: string, reason = 'No') =>
  who.post(`/tasks/${taskId}/handle`, { actionId: 'decline', data: { reason } })

/**
 * A workspace with three members, an admin, and the group finance of Ana and Ben. All are filled in
 * a beforeAll hook.
 */
export function setUpReviewTests() {
  const service = {} as TestService
  const acme = {} as TestWorkspace
  const [ana, ben, cem, admin] = [{} as Someone, {} as Someone, {} as Someone, {} as Someone]
  beforeAll(async () => {
    Object.assign(service, await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' }))
    Object.assign(acme, await service.workspace())
    Object.assign(ana, await acme.person('member', 'Ana'))
    Object.assign(ben, await acme.person('member', 'Ben'))
    Object.assign(cem, await acme.person('member', 'Cem'))
    Object.assign(admin, await acme.person('admin', 'Lea'))
    const members = [ana.email, ben.email]
    expect((await acme.owner.post('/groups', { slug: 'finance', name: 'Finance', members })).status).toBe(201)
  })
  afterAll(() => service.stop())

  const send = async (more: Record<string, unknown>) => {
    const created = await acme.agent.post('/tasks', taskPayload(more))
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    return created.body.taskId as string
  }
  return { service, acme, ana, ben, cem, admin, send }
}
