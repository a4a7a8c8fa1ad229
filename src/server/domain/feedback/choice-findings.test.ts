import { expect, test } from 'vitest'
import { generateAnswers, periodEnd, periodStart } from '../../../../test/support/generated-answers.ts'
import { complete } from '../../lib/event-loop.ts'
import type { StoredAction } from '../../storage/engine/task-tables.ts'
import type { AnalyzedAnswer } from '../../storage/feedback/answers.ts'
import { createRandom } from '../demo/random.ts'
import { createFigures } from './figures.ts'
import { deriveFindings } from './findings.ts'
import { healthOf } from './health.ts'
import { nameSpan } from './sanitize.ts'

function choiceFindingsOf(
  actions: StoredAction[],
  n: number,
  answer: (i: number) => Partial<AnalyzedAnswer>,
) {
  const collected = createFigures()
  const answers = generateAnswers({
    random: createRandom(1),
    n,
    actions,
    answer: (i) => ({ actionId: 'approve', ...answer(i) }),
  })
  for (const row of answers) collected.add(row)
  const figures = complete(collected.finish())
  const input = { app: 'shop', type: 'refund', periodStart, periodEnd, urlOf: (id: string) => id }
  return deriveFindings({ ...input, figures, health: healthOf(figures) }, nameSpan).filter(
    ({ kind }) => kind === 'choice',
  )
}

const formWith = (properties: Record<string, unknown>): Pick<StoredAction, 'schema'> => ({
  schema: { type: 'object', properties },
})

test('a question of a long form is compared with the same question in other answers, however rare these are', () => {
  const reason = { type: 'string', enum: ['broken', 'late'] }
  const measures = Array.from({ length: 25 }, (_, i) => `measure${i}`)
  const numbers = Object.fromEntries(measures.map((field) => [field, { type: 'integer' }]))
  const values = Object.fromEntries(measures.map((field, i) => [field, i]))
  const found = choiceFindingsOf(
    [
      { id: 'approve', title: 'Approve', ...formWith({ reason }) },
      { id: 'reject', title: 'Reject', ...formWith({ reason, ...numbers }) },
    ],
    200,
    (i) =>
      i % 4 === 0
        ? { data: { reason: 'broken' } }
        : { actionId: 'reject', data: { reason: 'broken', ...values } },
  )
  expect(found).toEqual([])
})

test('a choice that is rare among many in other answers is compared with its real share', () => {
  const options = Array.from({ length: 25 }, (_, i) => `option-${i}`)
  const region = { type: 'string', enum: [...options, 'far'] }
  const [found] = choiceFindingsOf(
    ['approve', 'reject'].map((id) => ({ id, title: id, ...formWith({ region }) })),
    1_500,
    (i) => {
      const nth = Math.floor(i / 3)
      if (i % 3 === 0)
        return { actionId: 'reject', data: { region: nth % 5 === 0 ? 'far' : options[nth % 25] } }
      return { data: { region: nth % 33 === 0 ? 'far' : options[nth % 25] } }
    },
  )
  expect(found!.title).toBe('`far` is chosen more often with `reject`')
  expect(found!.evidence).toMatch(/^20 % .* against 3 % /)
})
