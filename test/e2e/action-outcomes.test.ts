import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import type { Statistics } from '../../src/contract/statistics.ts'
import { rollUpAnswers } from '../../src/server/domain/feedback/roll-up-answers.ts'
import { erasePeople } from '../../src/server/domain/workspaces/erase-people.ts'
import { type HandledTask, insertHandled } from '../support/handled-tasks.ts'
import { moveClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

const actions = [
  { id: 'approve', title: 'Approve' },
  { id: 'escalate', title: 'Escalate' },
]
const declared = [{ id: 'escalate', title: 'Escalate', outcome: 'positive' as const }]
const pair = { app: 'shop', type: 'review' }

describe('an admin sets what an action means whose name does not say it', () => {
  let service: TestService
  let acme: TestWorkspace
  let mara: Awaited<ReturnType<TestWorkspace['person']>>
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    mara = await acme.person('member', 'Mara')
    const tasks = (count: number, task: HandledTask) => Array.from({ length: count }, () => task)
    await insertHandled(service.databaseUrl, acme.workspaceId, [
      ...tasks(6, { ...pair, actions, actionId: 'escalate', daysAgo: 3 }),
      ...tasks(6, { ...pair, actions, actionId: 'escalate' }),
      ...tasks(8, { ...pair, actions }),
      ...tasks(5, { ...pair, actions: declared, actionId: 'escalate', daysAgo: 5 }),
      ...tasks(4, { app: 'books', type: 'review', actions, actionId: 'escalate' }),
    ])
  })
  afterAll(() => service.stop())

  const set = (outcome: string | null, more: object = {}) =>
    acme.owner.put('/action-outcomes', { ...pair, actionId: 'escalate', outcome, ...more })
  const statistics = async (filters = ''): Promise<Statistics> =>
    (await mara.get(`/statistics${filters}`)).body
  const ofPair = '?app=shop&type=review'
  const escalateOf = ({ details }: Statistics) =>
    details!.actions.find(({ actionId }) => actionId === 'escalate')
  const audited = async () =>
    (await acme.owner.get('/audit?limit=100')).body.entries.filter(({ action }: { action: string }) =>
      action.startsWith('action_outcome.'),
    )

  test('it counts in statistics, except where the sender declares it or the type is another', async () => {
    const before = await statistics(ofPair)
    expect(before.negative).toMatchObject({ count: 0, n: 25 })
    expect(escalateOf(before)).toMatchObject({ outcome: 'neutral', source: 'unknown', count: 17 })
    expect(before.actions.map(({ actionId, source }) => [actionId, source])).toEqual([
      ['escalate', 'unknown'],
      ['approve', 'inferred'],
    ])

    const saved = await set('negative')
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    const setBy = acme.ownerEmail
    expect(saved.body).toEqual({
      actionOutcomes: [{ actionId: 'escalate', outcome: 'negative', setBy, setAt: expect.any(String) }],
    })
    expect((await mara.get(`/action-outcomes${ofPair}`)).body).toEqual(saved.body)
    const check = async () => {
      const after = await statistics(ofPair)
      expect(after.negative).toMatchObject({ count: 12, n: 25 })
      expect(escalateOf(after)).toMatchObject({ outcome: 'negative', source: 'workspace', count: 17 })
      expect(after.pairs).toMatchObject([{ positive: 13, neutral: 0, negative: { count: 12 } }])
      expect(after.days.map(({ negative }) => negative).filter(Boolean)).toEqual([6, 6])
      const all = await statistics()
      expect(all.negative).toMatchObject({ count: 12, n: 29 })
      expect(all.days.reduce((sum, { negative }) => sum + negative, 0)).toBe(12)
      expect(all.pairs).toMatchObject([
        { app: 'shop', negative: { count: 12 } },
        { app: 'books', negative: { count: 0 }, neutral: 4 },
      ])
    }
    await check()
    await rollUpAnswers(service.app.service, new AbortController().signal)
    await check()
  })

  test('in analyses', async () => {
    await set('negative')
    await mara.post('/feedback-analyses', pair)
    const run = await vi.waitFor(async () => {
      const [found] = (await mara.get(`/feedback-analyses${ofPair}`)).body.analyses
      expect(found.status).toBe('completed')
      return found
    }, waitOptions)
    expect(run).toMatchObject({ taskCount: 25, isHealthy: false })
  })

  test('and in exports', async () => {
    await set('negative')
    const outcomes = async () => {
      const { body } = await acme.owner.get('/export?format=jsonl')
      const lines = String(body).trim().split('\n')
      const counts: Record<string, number> = {}
      for (const { app, handled } of lines.map((line) => JSON.parse(line))) {
        const key = `${app} ${handled.actionId} ${handled.outcome}`
        counts[key] = (counts[key] ?? 0) + 1
      }
      return counts
    }
    const others = { 'shop approve positive': 8, 'shop escalate positive': 5, 'books escalate neutral': 4 }
    expect(await outcomes()).toEqual({ ...others, 'shop escalate negative': 12 })
    await set(null)
    expect(await outcomes()).toEqual({ ...others, 'shop escalate neutral': 12 })
    expect((await statistics(ofPair)).negative.count).toBe(0)
  })

  test('once: setting the same again changes nothing, and every change is in the audit log', async () => {
    await set(null)
    const before = (await audited()).length
    const { body } = await set('negative')
    expect((await set('negative')).body).toEqual(body)
    await set('positive', { app: undefined })
    await set(null)
    await set(null)
    const [removed, ofDefault, first, ...rest] = await audited()
    expect(rest).toHaveLength(before)
    const details = { ...pair, actionId: 'escalate' }
    expect(removed).toMatchObject({
      action: 'action_outcome.removed',
      subject: acme.workspaceId,
      details: { ...details, outcome: 'negative' },
    })
    expect(ofDefault).toMatchObject({ details: { ...details, app: 'default', outcome: 'positive' } })
    expect(first).toMatchObject({
      action: 'action_outcome.set',
      details: { ...details, outcome: 'negative' },
    })
  })

  test('but not for built-in actions, not by members, and not for any number of actions', async () => {
    expect(await set('positive', { actionId: 'service:reject-request' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'actionId', message: expect.stringContaining('built-in action') }] },
    })
    for (const wrong of [{ outcome: 'bad' }, { outcome: undefined }, { actionId: '' }, { type: '' }])
      expect((await set('positive', wrong)).status, JSON.stringify(wrong)).toBe(400)
    expect((await mara.put('/action-outcomes', { ...pair, actionId: 'a', outcome: null })).status).toBe(403)

    await query(
      service.databaseUrl,
      `INSERT INTO action_outcomes (workspace_id, app, type, action_id, outcome, set_by)
       SELECT $1, 'full', 'review', n, 'neutral', 'usr_test' FROM generate_series(1, ${limits.actionOutcomesPerType}) n`,
      [acme.workspaceId],
    )
    const ofFull = { app: 'full', type: 'review' }
    expect(await set('negative', ofFull)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await set('negative', { ...ofFull, actionId: '7' })).status).toBe(200)
    await set(null, { ...ofFull, actionId: '1' })
    expect((await set('negative', ofFull)).status).toBe(200)
  })

  test('an answer whose content is deleted keeps what counted at that time', async () => {
    const ended = { app: 'old', type: 'review', actions, actionId: 'escalate' }
    const [first, second] = await insertHandled(service.databaseUrl, acme.workspaceId, [ended, ended])
    await set('negative', { app: 'old' })
    expect((await acme.owner.delete(`/tasks/${first}/content`)).status).toBe(204)
    const shares = async () => (await statistics('?app=old&type=review')).pairs[0]
    expect(await shares()).toMatchObject({ negative: { count: 2 } })
    await set('positive', { app: 'old' })
    expect(await shares()).toMatchObject({ negative: { count: 1 }, positive: 1 })
    expect((await acme.owner.delete(`/tasks/${second}/content`)).status).toBe(204)
    await set(null, { app: 'old' })
    expect(await shares()).toMatchObject({ negative: { count: 1 }, positive: 1 })
  })

  test('an answer of a past day whose content is deleted keeps it too, even if the title of its action is its id', async () => {
    const beta = await service.workspace()
    const ofType = { app: 'past', type: 'review', actionId: 'escalate' }
    const actions = [{ id: 'escalate', title: 'escalate' }]
    const [taskId] = await insertHandled(service.databaseUrl, beta.workspaceId, [
      { ...ofType, actions, daysAgo: 3 },
    ])
    const set = (outcome: string) => beta.owner.put('/action-outcomes', { ...ofType, outcome })
    expect((await set('negative')).status).toBe(200)
    await rollUpAnswers(service.app.service, new AbortController().signal)
    expect((await beta.owner.delete(`/tasks/${taskId}/content`)).status).toBe(204)
    expect((await set('positive')).status).toBe(200)
    expect((await beta.owner.get('/statistics')).body).toMatchObject({ answers: 1, negative: { count: 1 } })
  })

  test('the address of a person who is erased is no longer shown, and what they set still counts', async () => {
    const ada = await acme.person('admin', 'Ada')
    const ofErased = { app: 'erased', type: 'review', actionId: 'escalate' }
    expect((await ada.put('/action-outcomes', { ...ofErased, outcome: 'negative' })).status).toBe(200)
    const list = async () => (await mara.get('/action-outcomes?app=erased&type=review')).body.actionOutcomes
    expect(await list()).toMatchObject([{ setBy: ada.email }])
    const { members } = (await acme.owner.get('/members')).body
    const { userId } = members.find(({ email }: { email: string }) => email === ada.email)
    expect((await acme.owner.delete(`/members/${userId}?erase=true`)).status).toBe(204)
    await moveClock(service.databaseUrl, '6 s')
    await erasePeople(service.app.service, new AbortController().signal)
    const [left] = await list()
    expect(left).toMatchObject({ outcome: 'negative' })
    expect(left).not.toHaveProperty('setBy')
    const stored = await query<{ row: string }>(
      service.databaseUrl,
      "SELECT row_to_json(o)::text AS row FROM action_outcomes o WHERE app = 'erased'",
    )
    expect(stored).toHaveLength(1)
    expect(stored[0]!.row).not.toContain(ada.email)
  })
})
