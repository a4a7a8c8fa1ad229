import { expect, test } from 'vitest'
import { generateAnswers, periodEnd, periodStart } from '../../../../test/support/generated-answers.ts'
import { complete } from '../../lib/event-loop.ts'
import { createRandom } from '../demo/random.ts'
import { createFigures } from './figures.ts'
import { deriveFindings } from './findings.ts'
import { healthOf } from './health.ts'

type Given = { i: number; isNew: boolean; isFirstHalf: boolean }

/**
 * 200 answers to version 1, then 200 to version 2, of which the named ones are negative and have
 * lost their content.
 */
function figuresOf(given: {
  isNegative: (one: Given) => boolean
  isDeleted: (one: Given) => boolean
  region: (one: Given) => string
}) {
  const collected = createFigures()
  const answers = generateAnswers({
    random: createRandom(1),
    n: 400,
    answer(i) {
      const one = { i, isNew: i >= 200, isFirstHalf: i % 200 < 100 }
      const isContentDeleted = given.isDeleted(one)
      return {
        actionId: given.isNegative(one) ? 'reject' : 'approve',
        version: one.isNew ? '2' : '1',
        handledBy: `person-${i % 5}@example.com`,
        isContentDeleted,
        fields: isContentDeleted ? null : { 'context.region': given.region(one) },
      }
    },
  })
  for (const answer of answers) collected.add(answer)
  return complete(collected.finish())
}

const regionOf = ({ i }: Given) => (i % 3 === 0 ? 'EU' : 'US')
const isWorse = ({ i, isNew }: Given) => (isNew ? i % 3 === 1 : i % 20 === 0)

test('a field did not change with the version if it is only unknown for the answers to the others', () => {
  const { current } = figuresOf({
    isNegative: isWorse,
    isDeleted: ({ isNew }) => !isNew,
    region: regionOf,
  })
  expect(current).toMatchObject({ version: '2', verdict: 'worse' })
  expect(current!.notSeparatedFrom).not.toContain('context.region')
  expect(current!.testedWithin).not.toContain('context.region')
})

test('a version is compared within a field by the answers whose content was not deleted', () => {
  const isDeleted = ({ i, isNew }: Given) => (isNew ? i % 5 === 0 : i % 5 < 2)
  const { current } = figuresOf({ isNegative: isWorse, isDeleted, region: ({ i }) => (i % 2 ? 'EU' : 'US') })
  expect(current).toMatchObject({ verdict: 'worse', notSeparatedFrom: [] })
  expect(current!.testedWithin).toContain('context.region')
  const constant = figuresOf({ isNegative: isWorse, isDeleted, region: () => 'EU' }).current
  expect(constant!.testedWithin).not.toContain('context.region')
})

test('the expected gain of a field is that of all answers, also if the content of some was deleted', () => {
  const gainOf = (isDeleted: (one: Given) => boolean) => {
    const figures = figuresOf({
      isNegative: ({ i }) => i % 4 === 0,
      isDeleted,
      region: ({ i }) => `${i % 4}`,
    })
    const input = { app: 'shop', type: 'refund', periodStart, periodEnd, urlOf: (id: string) => id }
    const findings = deriveFindings({ ...input, figures, health: healthOf(figures) }, (text) => text)
    return findings.find(({ kind }) => kind === 'field')!.gain
  }
  expect(gainOf(() => false)).toBeCloseTo(100)
  expect(gainOf(({ isFirstHalf }) => isFirstHalf)).toBeCloseTo(100)
})
