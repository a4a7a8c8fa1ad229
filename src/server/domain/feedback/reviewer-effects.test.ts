import { expect, test } from 'vitest'
import { generateAnswers, periodEnd, periodStart } from '../../../../test/support/generated-answers.ts'
import { complete } from '../../lib/event-loop.ts'
import { createRandom } from '../demo/random.ts'
import { analysisResult } from './analysis-result.ts'
import { createFigures } from './figures.ts'
import { healthOf } from './health.ts'

/** Mara answers every fifth task and rejects most. */
function evidenceAboutMara(versionOf: (i: number, isMara: boolean) => string): string {
  const collected = createFigures()
  const answers = generateAnswers({
    random: createRandom(1),
    n: 500,
    answer(i) {
      const isMara = i % 5 === 0
      return {
        actionId: (isMara ? i % 3 > 0 : i % 9 === 0) ? 'reject' : 'approve',
        handledBy: isMara ? 'mara@example.com' : `person-${i % 5}@example.com`,
        version: versionOf(i, isMara),
      }
    },
  })
  for (const answer of answers) collected.add(answer)
  const figures = complete(collected.finish())
  const input = { app: 'shop', type: 'refund', periodStart, periodEnd, urlOf: (id: string) => id }
  const { findings } = analysisResult({ ...input, figures, health: healthOf(figures) }, () => true)
  return findings.find(({ title }) => title.startsWith('mara@example.com gives more'))!.evidence
}

test('a strict reviewer is compared with the others by version, if they answered the same ones', () => {
  const evidence = evidenceAboutMara((i) => `1.${i % 2}`)
  expect(evidence).toContain('also when compared separately by version')
  expect(evidence).not.toContain('Too few')
})

test('a reviewer who alone answered a version is not said to be strict about the same tasks', () => {
  const evidence = evidenceAboutMara((_, isMara) => (isMara ? '2' : '1'))
  expect(evidence).not.toContain('also when compared separately by version')
  expect(evidence).toContain(
    'Too few answers can be compared separately by version, which may be the cause instead.',
  )
})
