import { expect, test } from 'vitest'
import { generateAnswers, periodEnd, periodStart } from '../../../../test/support/generated-answers.ts'
import { complete } from '../../lib/event-loop.ts'
import type { StoredAction } from '../../storage/engine/task-tables.ts'
import type { AnalyzedAnswer } from '../../storage/feedback/answers.ts'
import { createRandom } from '../demo/random.ts'
import type { AnalysisInput } from './analyst.ts'
import { createBuiltInAnalyst } from './built-in-analyst.ts'
import { createFigures } from './figures.ts'
import { healthOf } from './health.ts'

const pick: StoredAction = {
  id: 'pick',
  title: 'Pick',
  schema: { type: 'object', properties: { winner: { type: 'string', enum: ['mine', 'rival', 'other'] } } },
}
const names = ['mine', 'rival', 'other']

type Options = { n?: number; ours?: string[]; winner(i: number): string; version?(i: number): string }

function analyzed({ n = 90, ours = ['mine'], winner, version = () => '1.0' }: Options): AnalysisInput {
  const answers: AnalyzedAnswer[] = generateAnswers({
    random: createRandom(1),
    n,
    actions: [pick],
    answer: (i) => ({
      ...{ actionId: 'pick', actionTitle: 'Pick', version: version(i), data: { winner: winner(i) } },
      candidates: { drafts: names.map((name) => ({ name, ours: ours.includes(name) })) },
    }),
  })
  const collected = createFigures()
  for (const answer of answers) collected.add(answer)
  const figures = complete(collected.finish())
  const health = healthOf(figures)
  return { app: 'shop', type: 'draft', periodStart, periodEnd, figures, health, urlOf: (id) => id }
}

/** `mine` wins 10 of 90, where 30 would be chance. */
const losing = (i: number) => (i % 9 === 0 ? 'mine' : i % 3 === 0 ? 'other' : 'rival')
const even = (i: number) => names[i % 3]!

test('a candidate of the sender that wins less often than by chance makes the task type not healthy', async () => {
  const input = analyzed({ winner: losing })
  expect(input.health).toMatchObject({ isHealthy: false, ownCandidateLoses: true, tooNegative: false })
  const texts = await createBuiltInAnalyst(() => 'fence')(input)
  expect(texts.summary).toContain(
    'Not healthy: your candidate `mine` in `drafts` wins less often than by chance (11 % (6–19 %) of 90, p < 0.001).',
  )
  expect(texts.recommendation).toContain(
    '**Your candidate `mine` in `drafts` loses.** It wins 11 % (6–19 %) of 90',
  )
  expect(texts.recommendation).toContain('`rival` wins 60 of them.')
  expect(texts.recommendation).not.toContain('`rival` in `drafts`: it wins')
  expect(texts.agentInstructions).toContain('Your candidate [1] in [2] loses')
  expect(texts.agentInstructions.split('fence')[0]).not.toMatch(/mine|rival/)
})

test('it is healthy if the candidates are equal, if nothing is marked, or if a candidate of others loses', () => {
  expect(analyzed({ winner: even }).health).toMatchObject({ isHealthy: true, ownCandidateLoses: false })
  expect(analyzed({ winner: losing, ours: [] }).health.isHealthy).toBe(true)
  expect(analyzed({ winner: losing, ours: ['rival'] }).health.isHealthy).toBe(true)
})

test('nothing is said with fewer than 30 decisions about the version that runs now', () => {
  const lost = () => 'rival'
  expect(analyzed({ n: 29, winner: lost }).health.isHealthy).toBe(true)
  expect(analyzed({ n: 30, winner: lost }).health.isHealthy).toBe(false)
  const fixed = {
    winner: (i: number) => (i < 60 ? 'rival' : even(i)),
    version: (i: number) => (i < 60 ? '1.0' : '1.1'),
  }
  expect(analyzed({ n: 120, ...fixed }).health.isHealthy).toBe(true)
})

test('several candidates of the sender are corrected for', () => {
  // 21 of 90, where 30 would be chance: p = 0.03 alone, 0.09 for three.
  const winner = (i: number) => (i < 21 ? 'mine' : i % 2 ? 'rival' : 'other')
  expect(analyzed({ winner }).figures.comparisons[0]!.ownCandidates).toMatchObject([
    { name: 'mine', loses: true },
  ])
  const [first] = analyzed({ winner, ours: names }).figures.comparisons[0]!.ownCandidates
  expect(first).toMatchObject({ name: 'mine', loses: false })
})
