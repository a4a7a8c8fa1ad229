import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AnalysisRun } from '../../src/contract/feedback-analysis.ts'
import type { InboxRow } from '../../src/contract/inbox.ts'
import type { Statistics } from '../../src/contract/statistics.ts'
import type { TaskRecord } from '../../src/contract/task.ts'
import { handrail, handrailProcess, type Outcome } from '../support/command-line.ts'
import { startService, type TestService, type TestWorkspace } from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

type ExportedTask = Pick<TaskRecord, 'taskId' | 'type' | 'revision' | 'questions'> & {
  handled: NonNullable<TaskRecord['handled']>
}

describe('handrail demo fills a workspace with sample data', () => {
  let service: TestService
  let acme: TestWorkspace
  let filled: { ended: number; open: number; waitingForAgent: number; people: string[] }
  let refused: Outcome
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    const words = ['demo', '--workspace', acme.workspaceId, '--json']
    const ends = await Promise.all([
      handrailProcess(service.databaseUrl, words),
      handrail(service.databaseUrl, words),
    ])
    const [first, second] = ends.sort((a, b) => a.code! - b.code!)
    expect(first).toMatchObject({ code: 0, errors: '' })
    filled = JSON.parse(first!.output)
    refused = second!
  })
  afterAll(() => service.stop())

  const statistics = async (filters = ''): Promise<Statistics> =>
    (await acme.owner.get(`/statistics${filters}`)).body
  const analyzed = async (app: string, type: string): Promise<AnalysisRun> => {
    const { analysisId } = (await acme.owner.post('/feedback-analyses', { app, type })).body
    return await vi.waitFor(async () => {
      const { analyses } = (await acme.owner.get('/feedback-analyses')).body
      const run = analyses.find((one: AnalysisRun) => one.analysisId === analysisId)
      expect(run.status).toBe('completed')
      return run
    }, waitOptions)
  }

  test('of two concurrent runs one fills the workspace; the other changes nothing and says what to do', async () => {
    expect(refused).toMatchObject({
      code: 1,
      output: '',
      errors: expect.stringMatching(/has tasks.*handrail setup/),
    })
    expect((await statistics()).answers).toBeLessThan(1.5 * filled.ended)
  })

  test('30 days of two apps and three types, answered by several people, with one unhealthy pair', async () => {
    const { answers, timeouts, pairs, people, open, days } = await statistics()
    expect(answers).toBeGreaterThan(2_000)
    expect(timeouts).toBeGreaterThan(10)
    expect(days.every((day) => day.answers > 0 || day.day === days.at(-1)!.day)).toBe(true)
    expect(Object.fromEntries(pairs.map(({ app, type, health }) => [`${app}/${type}`, health]))).toEqual({
      'support-agent/refund-approval': 'not-healthy',
      'support-agent/reply-draft': 'healthy',
      'model-evals/compare-answers': 'healthy',
    })
    expect(people.map(({ person }) => person).sort()).toEqual([...filled.people].sort())
    expect(filled.people).toContain(acme.ownerEmail)
    expect(open.count).toBe(filled.open)
  })

  test('the analysis finds the worse release and what people write about it', async () => {
    const run = await analyzed('support-agent', 'refund-approval')
    expect(run.isHealthy).toBe(false)
    expect(run.recommendation).toContain('**Version `4.2.0`, which runs now, is worse.**')
    expect(run.recommendation).toMatch(/`currency`|`.* currency`/)
    expect(run.agentInstructions).toContain('BEGIN DATA')
  })

  test('the better model wins, and the presented order has an influence', async () => {
    const [comparison] = (await statistics('?app=model-evals&type=compare-answers')).details!.comparisons
    expect(comparison!.candidates[0]).toMatchObject({ name: 'Model B' })
    expect(comparison!.position).toMatchObject({ known: true, isBiased: true })
  })

  test('inbox, handled list and search show it, and open tasks can be answered', async () => {
    const { rows } = (await acme.owner.get('/inbox?limit=50')).body
    expect(rows.map(({ app }: { app: string }) => app)).toContain('sales-agent')
    const { tasks } = (await acme.owner.get('/tasks?sort=handledAt&limit=5')).body
    expect(tasks).toHaveLength(5)
    const found = (await acme.owner.get('/tasks/search?query=casserole&limit=5')).body.tasks
    expect(found.length).toBeGreaterThan(0)
    const timeline = (await acme.owner.get('/threads/data-request-3118/timeline')).body.entries
    expect(timeline).toHaveLength(7)
    const [task] = (await acme.owner.get('/tasks?type=data-request&status=open')).body.tasks
    expect((await acme.owner.post(`/tasks/${task.taskId}/mark-done`, {})).status).toBe(200)
  })

  test('one task waits for the agent, and one has its reply', async () => {
    const { rows, counts } = (await acme.owner.get('/inbox?limit=50')).body
    expect([filled.waitingForAgent, counts.waiting]).toEqual([1, 1])
    const states = rows.flatMap(({ type, conversation }: InboxRow) =>
      conversation ? [[type, conversation.state]] : [],
    )
    expect(states.sort()).toEqual([
      ['disputed-charge', 'waiting'],
      ['quote-approval', 'replied'],
    ])
  })

  test('a task that accepts questions says so in the options it was sent with', async () => {
    const [task] = (await acme.owner.get('/tasks?type=disputed-charge&status=open')).body.tasks
    const { sent } = (await acme.owner.get(`/tasks/${task.taskId}?include=sent`)).body
    expect(sent).toMatchObject({ task: { type: 'disputed-charge' }, acceptsQuestions: true })
  })

  test('a few percent of the handled tasks have edits, questions and revisions', async () => {
    const { edits, versions } = await statistics('?app=support-agent&type=reply-draft')
    const sent = edits!.unchanged + edits!.light + edits!.heavy
    expect(sent).toBeGreaterThan(400)
    for (const level of ['light', 'heavy'] as const) expect(edits![level] / sent).toBeGreaterThan(0.01)
    expect(edits!.unchanged / sent).toBeGreaterThan(0.8)
    expect(versions.every((version) => version.edits !== undefined)).toBe(true)

    const { body } = await acme.owner.get('/export?format=jsonl&app=support-agent')
    const tasks: ExportedTask[] = (body as string)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const asked = tasks.filter(({ questions }) => questions)
    expect(asked.length / tasks.length).toBeGreaterThan(0.02)
    expect(asked.every(({ questions }) => questions!.every(({ answer }) => answer))).toBe(true)
    const [refund, reply] = ['refund-approval', 'reply-draft'].map(
      (type) => tasks.find((task) => task.type === type && task.revision === 2)!,
    )
    const read = async ({ taskId }: ExportedTask): Promise<TaskRecord> =>
      (await acme.owner.get(`/tasks/${taskId}?include=context,revisions,updates`)).body
    const corrected = await read(refund!)
    expect(corrected.revisions).toHaveLength(1)
    expect(corrected.revisions![0]!.name).not.toBe(corrected.name)
    const [question] = corrected.questions!
    expect(corrected.updates).toMatchObject([{ answers: question!.questionId, revision: 2 }])
    const times = [corrected.createdAt, question!.askedAt, question!.answer!.at, corrected.handled!.handledAt]
    expect(times).toEqual(times.toSorted())
    // What was sent is what the revision proposed.
    expect((await read(reply!)).handled!.edits).toEqual([
      { field: 'body', source: 'email.body', changed: false },
    ])
    const [edited] = tasks.filter(({ handled }) => handled.edits?.[0]?.changed)
    expect(edited!.handled.edits![0]).toMatchObject({ field: 'body', diff: expect.stringContaining('@@') })
  })
})
