import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { countTasksBySender } from '../../src/server/storage/review/count-tasks-by-sender.ts'
import { callAs } from '../support/http.ts'
import { approve, setUpReviewTests } from '../support/review-tests.ts'
import { startService, taskPayload } from '../support/service.ts'

const docs = readFileSync(new URL('../../docs/who-answers.md', import.meta.url), 'utf8')

describe('a review says who may answer, and how many must', () => {
  const { service, acme, ana, ben, cem, admin } = setUpReviewTests()

  test('the documented policy can be created, and applies to a task of its app and type', async () => {
    const [, , policy] = [...docs.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) =>
      JSON.parse(text!.replace('owner@example.com', acme.ownerEmail)),
    )
    const { groupId } = (await acme.owner.post('/groups', { slug: 'leads', members: [cem.email] })).body
    const created = await acme.owner.post('/policies', policy)
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    const { policyId, warnings: aboutPolicy, ...settings } = created.body
    expect(settings).toEqual(policy)
    expect(aboutPolicy).toEqual([expect.stringContaining('Only 2 people can answer')])
    const { app, type } = policy
    const { taskId, warnings } = (await acme.agent.post('/tasks', taskPayload({ app }, { type }))).body
    expect(warnings).toMatchObject([{ path: 'review' }])
    expect((await acme.agent.get(`/tasks/${taskId}`)).body).toMatchObject({
      assignedTo: 'group:finance',
      answerBy: expect.any(String),
      review: { by: ['group:finance'], needed: 2, onDecline: 'end' },
    })
    await acme.owner.delete(`/policies/${policyId}`)
    await acme.owner.delete(`/groups/${groupId}`)
  })

  test('the preview of a policy of an app counts its tasks, however many other apps sent of the type', async () => {
    for (const app of ['quiet', 'busy', 'busy'])
      expect((await acme.agent.post('/tasks', taskPayload({ app }, { type: 'transfer' }))).status).toBe(201)
    const counted = await service.app.service.database.inWorkspace(acme.workspaceId, (tx) =>
      countTasksBySender(tx, { app: 'quiet', type: 'transfer' }, { days: 30, max: 2, minutes: undefined }),
    )
    expect(counted).toMatchObject([{ app: 'quiet', type: 'transfer', count: 1 }])
  })

  test('the preview of a policy counts tasks that it would have refused, that have a default, or that another policy covers', async () => {
    const type = 'preview'
    for (const app of ['till', 'till', 'shop'])
      await acme.agent.post('/tasks', taskPayload({ app }, { type }))
    const preview = async (policy: Record<string, unknown>) =>
      (await acme.owner.post('/policies/preview', policy)).body
    expect(await preview({ type })).toEqual({ tasks: 3, tooFew: 0, hasMore: false })
    expect(await preview({ type, by: [ana.email], needed: 2 })).toEqual({
      tasks: 3,
      tooFew: 3,
      withOnExpire: 0,
      hasMore: false,
      warnings: ['Only 1 person can answer and 2 must agree, so new tasks are refused.'],
    })
    const deadline = { expiresInSeconds: 600, onExpire: { actionId: 'approve' } }
    await acme.agent.post('/tasks', taskPayload(deadline, { type: 'with-default' }))
    expect(await preview({ type: 'with-default', by: [ana.email] })).toMatchObject({
      tasks: 1,
      withOnExpire: 1,
    })
    // A more specific policy applies to the other two.
    const { policyId } = (await acme.owner.post('/policies', { app: 'till', type, needed: 1 })).body
    expect(await preview({ type })).toEqual({ tasks: 1, tooFew: 0, hasMore: false })
    expect(await preview({ app: 'till', type })).toEqual({ tasks: 2, tooFew: 0, hasMore: false })
    await acme.owner.delete(`/policies/${policyId}`)
  })

  describe('a policy', () => {
    const policies: string[] = []
    const create = async (policy: Record<string, unknown>) => {
      const created = await acme.owner.post('/policies', policy)
      expect(created.status, JSON.stringify(created.body)).toBe(201)
      policies.push(created.body.policyId)
      return created.body
    }
    const payload = (more: Record<string, unknown> = {}) => taskPayload({ app: 'bank', ...more })

    test('makes a sender stricter and never laxer, and says so', async () => {
      await create({ app: 'bank', by: ['group:finance'], needed: 2 })
      const { body } = await acme.agent.post(
        '/tasks',
        payload({ review: { by: [ana.email, ben.email, cem.email] } }),
      )
      expect(body.warnings).toMatchObject([
        { path: 'review', message: expect.stringContaining('2 people must') },
      ])
      expect((await approve(cem, body.taskId)).body.detail).toContain('who are also among group:finance')
      await approve(ana, body.taskId)
      expect((await approve(ben, body.taskId)).body.status).toBe('handled')
      const plain = (await acme.agent.post('/tasks', payload())).body.taskId
      expect((await acme.agent.get(`/tasks/${plain}`)).body.review).toMatchObject({
        by: ['group:finance'],
        needed: 2,
      })
      expect((await acme.agent.post('/tasks', taskPayload())).body.warnings).toBeUndefined()
      const deadline = { expiresInSeconds: 600, onExpire: { actionId: 'approve' } }
      expect(await acme.agent.post('/tasks', payload(deadline))).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'onExpire' }] },
      })
    })

    test('of app and type applies before one of the type, and that before one of the app', async () => {
      const type = 'wire-transfer'
      const needed = async (app: string) => {
        const task = { ...taskPayload().task, type }
        const { taskId } = (await acme.agent.post('/tasks', taskPayload({ app, task }))).body
        return (await acme.agent.get(`/tasks/${taskId}`)).body.review?.needed
      }
      await create({ type, needed: 3, by: [ana.email, ben.email, cem.email] })
      expect(await needed('bank')).toBe(3)
      await create({ app: 'bank', type, by: [cem.email] })
      expect(await needed('bank')).toBe(1)
      expect(await needed('elsewhere')).toBe(3)
    })

    test('applies to tasks that are sent later, at every node at once, and never to open ones', async () => {
      const node = await startService({ DATABASE_URL: service.databaseUrl })
      const elsewhere = callAs(node.url, { 'x-api-key': acme.apiKey })
      const sendTo = async () => {
        const { taskId } = (await elsewhere.post('/tasks', taskPayload({ app: 'till' }))).body
        return (await acme.agent.get(`/tasks/${taskId}`)).body.review?.needed
      }
      expect(await sendTo()).toBeUndefined()
      const { policyId } = await create({ app: 'till', needed: 2 })
      expect(await sendTo()).toBe(2)
      await acme.owner.patch(`/policies/${policyId}`, { needed: 3 })
      expect(await sendTo()).toBe(3)
      expect((await acme.owner.delete(`/policies/${policyId}`)).status).toBe(204)
      policies.pop()
      expect(await sendTo()).toBeUndefined()
      await node.stop()
    })

    test('change only in the settings that are sent, and null removes one', async () => {
      const settings = { by: [cem.email], needed: 1, answerWithinMinutes: 60 }
      const { policyId } = await create({ app: 'parts', ...settings })
      const change = (body: object) => acme.owner.patch(`/policies/${policyId}`, body)
      const changed = await change({ needed: 2, by: [cem.email, ana.email] })
      expect(changed.body).toMatchObject({ needed: 2, by: [cem.email, ana.email], answerWithinMinutes: 60 })
      const removed = await change({ answerWithinMinutes: null, linkOnly: null })
      expect(removed.body).toMatchObject({ app: 'parts', needed: 2, by: [cem.email, ana.email] })
      expect(removed.body.answerWithinMinutes).toBeUndefined()
      expect((await change({})).status).toBe(400)
    })

    test('can keep the person behind a task from answering it, and draw tasks for two answers', async () => {
      await create({ app: 'own', requesterMayAnswer: false })
      const { taskId } = (await admin.post('/tasks', taskPayload({ app: 'own' }))).body
      expect((await approve(admin, taskId)).status).toBe(403)
      expect((await approve(cem, taskId)).status).toBe(200)
      await create({ app: 'drawn', doubleReviewShare: 0.5 })
      const drawn = await Promise.all(
        Array.from({ length: 40 }, async () => {
          const id = (await acme.agent.post('/tasks', taskPayload({ app: 'drawn' }))).body.taskId
          return (await acme.agent.get(`/tasks/${id}`)).body.review
        }),
      )
      const twice = drawn.filter(Boolean)
      expect(twice[0]).toMatchObject({ needed: 2, onDecline: 'collect' })
      // The probability of fewer than 5 or more than 35 of 40 is below one in a million.
      expect(twice.length).toBeGreaterThan(4)
      expect(twice.length).toBeLessThan(36)
    })

    test('is listed for members, changed by admins only, and audited; a group in use cannot be deleted', async () => {
      expect((await ana.get('/policies')).body.policies.length).toBeGreaterThan(0)
      expect((await ana.post('/policies', { app: 'x' })).status).toBe(403)
      expect((await ana.post('/groups', { slug: 'x' })).status).toBe(403)
      const duplicate = await acme.owner.post('/policies', { app: 'bank', needed: 1 })
      expect(duplicate).toMatchObject({ status: 409 })
      const { groups } = (await ana.get('/groups')).body
      expect(groups).toMatchObject([{ slug: 'finance', members: [ana.email, ben.email].sort() }])
      expect((await acme.owner.delete(`/groups/${groups[0].groupId}`)).body.detail).toContain('bank')
      const { body: legal } = await acme.owner.post('/groups', { slug: 'legal', members: [] })
      await create({ app: 'court', by: ['group:legal'] })
      const listed = async (path: string) => Object.values((await ana.get(`/${path}`)).body).flat()
      expect(await listed('groups')).toContainEqual({
        ...legal,
        warnings: ['No members, but a policy uses this group. Add members.'],
      })
      expect(await listed('policies')).toContainEqual(
        expect.objectContaining({
          app: 'court',
          warnings: ['Nobody can answer, so new tasks are refused.'],
        }),
      )
      expect((await acme.owner.delete(`/groups/${legal.groupId}`)).body.detail).toBe(
        'The policy court uses this group. Change it first.',
      )
      for (const policyId of policies)
        expect((await acme.owner.delete(`/policies/${policyId}`)).status).toBe(204)
      const { entries } = (await acme.owner.get('/audit?action=policy.created')).body
      expect(JSON.stringify(entries)).not.toContain('@')
    })
  })
})
