import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { clearOutdated } from '../../src/server/domain/tasks/clear-outdated.ts'
import { setUpContentTests } from '../support/content-tests.ts'
import { lockWaits } from '../support/database-sessions.ts'
import { insertHandled } from '../support/handled-tasks.ts'
import { newMarker } from '../support/marked-payload.ts'
import { asOwner, moveClock } from '../support/rows.ts'
import { insertRule } from '../support/rules.ts'
import { startService, testPassword } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

describe('the content of ended tasks', () => {
  const { service, acme, receiver, createAnswered, deliveriesOf, waitForStates, isStored, auditOf } =
    setUpContentTests()

  describe('with a retention period', () => {
    const setDays = (retentionDays: number | null) =>
      acme.owner.patch('/workspace', { retentionDays, password: testPassword })

    test('is deleted after that many days, not before, and not while a delivery is pending', async () => {
      const [old, undelivered, fresh] = [newMarker(), newMarker(), newMarker()]
      const outdated = await createAnswered(old)
      const waiting = await createAnswered(undelivered, { callbackUrl: `${receiver.url}/500` })
      await vi.waitFor(
        async () => expect((await deliveriesOf(waiting))[0].attemptCount).toBeGreaterThan(0),
        waitOptions,
      )
      await query(service.databaseUrl, "UPDATE deliveries SET due_at = 'infinity' WHERE task_id = $1", [
        waiting,
      ])
      await moveClock(service.databaseUrl, '8 days')
      const young = await createAnswered(fresh)
      const preview = await acme.owner.get('/workspace/retention-preview?days=7')
      expect(preview.body.tasks).toBeGreaterThanOrEqual(2)
      expect((await setDays(7)).body).toMatchObject({ retentionDays: 7 })
      const deletedAt = async (taskId: string) =>
        (await acme.agent.get(`/tasks/${taskId}`)).body.contentDeletedAt
      await vi.waitFor(async () => expect(await deletedAt(outdated)).toEqual(expect.any(String)), waitOptions)
      expect(await isStored(old)).toBe(false)
      expect([await deletedAt(waiting), await deletedAt(young)]).toEqual([undefined, undefined])
      expect(await auditOf(acme.workspaceId)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            action: 'tasks.content_deleted',
            actor: 'service',
            details: { count: expect.any(Number), retentionDays: 7 },
          }),
          expect.objectContaining({
            action: 'workspace.retention_changed',
            details: { was: null, is: 7 },
          }),
        ]),
      )
      // The delivery has failed: none is pending any more.
      await query(
        service.databaseUrl,
        "UPDATE deliveries SET state = 'failed', ended_at = app_now() WHERE task_id = $1",
        [waiting],
      )
      await setDays(7)
      await vi.waitFor(async () => expect(await deletedAt(waiting)).toEqual(expect.any(String)), waitOptions)
      expect(await isStored(undelivered)).toBe(false)
      expect(await isStored(fresh)).toBe(true)
      expect((await setDays(null)).body).not.toHaveProperty('retentionDays')
    })

    test('of tasks with many updates is deleted in small batches, so that nobody waits for it', async () => {
      const handled = Array.from({ length: 3 }, () => ({ app: 'chatty', daysAgo: 8 }))
      const ids = await insertHandled(service.databaseUrl, acme.workspaceId, handled)
      await query(service.databaseUrl, "UPDATE tasks SET update_count = 600 WHERE app = 'chatty'")
      await setDays(7)
      const left = () =>
        query(service.databaseUrl, 'SELECT FROM tasks WHERE id = ANY ($1) AND content_deleted_at IS NULL', [
          ids,
        ])
      await vi.waitFor(async () => expect(await left()).toEqual([]), waitOptions)
      await setDays(null)
      const { entries } = (await acme.owner.get('/audit?action=tasks.content_deleted')).body
      expect(entries.slice(0, 3).map(({ details }: { details: object }) => details)).toEqual(
        Array.from({ length: 3 }, () => ({ count: 1, retentionDays: 7 })),
      )
    })

    test('is deleted by the current period only: a run that began with another one ends', async () => {
      // Without jobs, so that no other run deletes anything.
      const backend = await startService({}, ['--only', 'backend'])
      onTestFinished(() => backend.stop())
      const { databaseUrl } = backend
      const { workspaceId, agent, owner } = await backend.workspace()
      const running = backend.app.service
      const [taskId] = await insertHandled(databaseUrl, workspaceId, [{ app: 'changed', daysAgo: 8 }])
      const setPeriod = (days: number) =>
        query(databaseUrl, 'UPDATE workspaces SET retention_days = $2 WHERE id = $1', [workspaceId, days])
      const { database, ...others } = running
      const inWorkspace: typeof database.inWorkspace = async (id, work) => {
        await setPeriod(5)
        return await database.inWorkspace(id, work)
      }
      const isCleared = async () => (await agent.get(`/tasks/${taskId}`)).body.contentDeletedAt !== undefined
      await setPeriod(7)
      await clearOutdated({ ...others, database: { ...database, inWorkspace } }, new AbortController().signal)
      expect(await isCleared()).toBe(false)
      await clearOutdated(running, new AbortController().signal)
      expect(await isCleared()).toBe(true)
      const { entries } = (await owner.get('/audit?action=tasks.content_deleted')).body
      expect(entries).toMatchObject([{ details: { count: 1, retentionDays: 5 } }])
    })

    test('that is deleted during a redelivery request is not sent as an empty body', async () => {
      const marker = newMarker()
      const taskId = await createAnswered(marker, { callbackUrl: `${receiver.url}/410` })
      await waitForStates(taskId, ['failed'])
      await moveClock(service.databaseUrl, '8 days')
      await asOwner(service.databaseUrl, async (client) => {
        // Like a redelivery, committed only when the deletion waits for this row.
        await client.query('BEGIN')
        await client.query(
          "UPDATE deliveries SET state = 'pending', ended_at = NULL, due_at = app_now() + '1 day' WHERE task_id = $1",
          [taskId],
        )
        await setDays(7)
        await vi.waitFor(async () => expect(await lockWaits(service.databaseUrl)).toBe(1), waitOptions)
        await client.query('COMMIT')
      })
      await vi.waitFor(async () => expect(await isStored(marker)).toBe(false), waitOptions)
      expect(await deliveriesOf(taskId)).toMatchObject([{ state: 'failed' }])
      await setDays(null)
    })

    test('is deleted together with the texts of analyses about the same days', async () => {
      const marker = newMarker()
      const feedback = `Wrong currency ${marker} again`
      await insertHandled(
        service.databaseUrl,
        acme.workspaceId,
        Array.from({ length: 12 }, () => ({
          app: 'themes',
          actionId: 'service:reject-request',
          data: { feedback },
        })),
      )
      await acme.owner.post('/feedback-analyses', { app: 'themes', type: 'refund-approval' })
      const latest = async () =>
        (await acme.agent.get('/feedback-analyses/latest?app=themes&type=refund-approval')).body
      await vi.waitFor(async () => expect((await latest()).status).toBe('completed'), waitOptions)
      expect((await latest()).recommendation).toContain(marker)
      await moveClock(service.databaseUrl, '2 days')
      await setDays(1)
      await vi.waitFor(async () => expect((await latest()).recommendation).toBe(''), waitOptions)
      const cases = await acme.owner.get('/export?format=cases&app=themes&type=refund-approval')
      expect(cases).toMatchObject({ status: 404, body: { detail: expect.stringContaining('deleted') } })
      expect(await latest()).toMatchObject({
        isHealthy: false,
        taskCount: 12,
        message: expect.stringContaining('deleted'),
      })
      await expect.poll(() => isStored(marker)).toBe(false)
      await setDays(null)
    })

    test('of a task that a rule answered is deleted too; the rule and its name stay', async () => {
      const ruleId = `rul_${'7'.repeat(26)}`
      const marker = newMarker()
      await insertRule(service.databaseUrl, acme.workspaceId, { ruleId })
      const [taskId] = await insertHandled(service.databaseUrl, acme.workspaceId, [
        { ...{ app: 'shop', decidedBy: 'rule', ruleId, daysAgo: 40 }, context: { data: { note: marker } } },
      ])
      await setDays(30)
      await expect.poll(() => isStored(marker)).toBe(false)
      const { body } = await acme.owner.get(`/tasks/${taskId}`)
      expect(body).toMatchObject({
        contentDeletedAt: expect.any(String),
        handled: { decidedBy: 'rule', ruleId, data: {} },
        rule: { ruleId, name: 'Small refunds' },
      })
      await setDays(null)
    })

    test('accepts whole days between 1 and 3,650, or null for no limit', async () => {
      for (const days of [0, -1, 1.5, 3651, '7', ''])
        expect((await setDays(days as number)).status, String(days)).toBe(400)
      expect((await acme.owner.patch('/workspace', {})).status).toBe(400)
      for (const days of ['0', '3651', 'x'])
        expect((await acme.owner.get(`/workspace/retention-preview?days=${days}`)).status).toBe(400)
    })

    test('of other workspaces is not affected', async () => {
      const brown = await service.workspace()
      const [theirs] = await insertHandled(service.databaseUrl, brown.workspaceId, [{ daysAgo: 40 }])
      const [ours] = await insertHandled(service.databaseUrl, acme.workspaceId, [{ daysAgo: 40 }])
      await setDays(30)
      await vi.waitFor(
        async () =>
          expect((await acme.agent.get(`/tasks/${ours}`)).body.contentDeletedAt).toEqual(expect.any(String)),
        waitOptions,
      )
      expect((await brown.agent.get(`/tasks/${theirs}`)).body).toMatchObject({ name: 'Refund?' })
      await setDays(null)
    })
  })
})
