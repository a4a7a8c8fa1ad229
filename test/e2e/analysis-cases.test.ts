import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AnalysisDetail } from '../../src/contract/feedback-analysis.ts'
import { insertHandled } from '../support/handled-tasks.ts'
import { moveClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace } from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

const type = 'refund-approval'
const badRegion = 'Atlantis'
const cases = `/export?format=cases&app=default&type=${type}`

describe('an analysis exports its pairs of tasks, and the next one says what became of its advice', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
  })
  afterAll(() => service.stop())

  const answers = (n: number, version: string, regions: string[], daysAgo: number) =>
    Array.from({ length: n }, (_, i) => {
      const region = regions[i % regions.length]!
      return {
        version,
        daysAgo: daysAgo + (i % 10),
        context: { data: { region, kind: 'return' } },
        ...(region === badRegion
          ? { actionId: 'reject', data: { reason: 'We do not deliver there.' } }
          : { actionId: 'approve' }),
      }
    })

  async function analyze(): Promise<AnalysisDetail> {
    const { analysisId } = (await acme.owner.post('/feedback-analyses', { type })).body
    return await vi.waitFor(async () => {
      const { body } = await acme.owner.get(`/feedback-analyses/${analysisId}`)
      expect(body.status).toBe('completed')
      return body
    }, waitOptions)
  }

  const lines = async (path: string) =>
    (await acme.owner.get(path)).body
      .split('\n')
      .filter(Boolean)
      .map((line: string) => JSON.parse(line))

  test('without an analysis the problem says to run one, and app and type are required', async () => {
    const { status, body } = await acme.owner.get(cases)
    expect(status).toBe(404)
    expect(body.detail).toMatch(/no completed analysis .* Run one first/)
    expect((await acme.owner.get('/export?format=cases')).body.errors).toMatchObject([
      { path: 'app' },
      { path: 'type' },
    ])
    for (const path of [`${cases}&version=1`, `${cases}&finding=0`, '/export?format=csv&finding=1'])
      expect((await acme.owner.get(path)).status, path).toBe(400)
  })

  test('each line has a negative task, the most similar positive one, and what differs', async () => {
    await insertHandled(
      service.databaseUrl,
      acme.workspaceId,
      answers(120, '1', [badRegion, 'Peru', 'Chad'], 1),
    )
    const { analysisId, result } = await analyze()
    const number = 1 + result!.findings.findIndex(({ kind }) => kind === 'field')
    const { title } = result!.findings[number - 1]!
    const found = await lines(`${cases}&finding=${number}`)
    expect(found).toHaveLength(10)
    for (const line of found)
      expect(line).toMatchObject({
        analysisId,
        finding: { number, kind: 'field', title },
        negative: {
          taskId: expect.stringMatching(/^tsk_/),
          version: '1',
          name: 'Refund?',
          description: 'The parcel came back.',
          context: { data: { region: badRegion, kind: 'return' } },
          actions: [{ id: 'approve' }, { id: 'reject' }],
          answer: { actionId: 'reject', data: { reason: 'We do not deliver there.' } },
        },
        positive: { context: { data: { kind: 'return' } }, answer: { actionId: 'approve' } },
        differences: [
          { field: 'context.region', negative: badRegion, positive: expect.stringMatching(/Peru|Chad/) },
        ],
      })
    const all = await lines(cases)
    expect(all).toHaveLength(result!.findings.flatMap(({ taskPairs }) => taskPairs).length)
    const unknown = await acme.owner.get(`${cases}&finding=100`)
    expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(unknown.body.detail).toContain('has no finding 100')
  })

  test('another workspace does not see it', async () => {
    const other = await service.workspace()
    expect((await other.owner.get(cases)).status).toBe(404)
  })

  test('after a version without the bad value, the next analysis says that the advice worked', async () => {
    const [before] = (await acme.owner.get(`/feedback-analyses?type=${type}`)).body.analyses
    const advised = (await acme.owner.get(`/feedback-analyses/${before.analysisId}`)).body.result
    const field = advised.findings.find(({ kind }: { kind: string }) => kind === 'field')
    expect(advised.earlierAdvice).toEqual([])
    await moveClock(service.databaseUrl, '12 days')
    await insertHandled(service.databaseUrl, acme.workspaceId, answers(60, '2', ['Peru', 'Chad'], 0.5))
    const { result, summary, agentInstructions } = await analyze()
    expect(result!.earlierAdvice).toContainEqual(
      expect.objectContaining({
        givenAt: before.endedAt,
        title: field.title,
        version: '1',
        nextVersion: '2',
        predicted: -field.gain,
        result: 'worked',
        seen: expect.objectContaining({ change: -field.gain }),
      }),
    )
    expect(result!.earlierAdvice.map((advice) => advice.result)).not.toContain('no-effect-seen')
    expect(summary).toMatch(/Of \d pieces? of advice, \d worked/)
    expect(agentInstructions).not.toContain('choose a different fix')
    // Not about a task whose content could be deleted.
    expect(JSON.stringify(result!.earlierAdvice)).not.toContain('tsk_')
  })

  test('a pair is left out after the content of one of its tasks was deleted', async () => {
    const before = await lines(cases)
    const { taskId } = before[0].positive
    expect((await acme.owner.delete(`/tasks/${taskId}/content`)).status).toBe(204)
    const after = await lines(cases)
    expect(after.length).toBeLessThan(before.length)
    expect(JSON.stringify(after)).not.toContain(taskId)
  })
})
