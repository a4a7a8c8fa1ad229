import { expect, test } from 'vitest'
import { generateScenario, harmless, worse } from '../../../../bench/insight/scenarios.ts'
import { complete } from '../../lib/event-loop.ts'
import { createFigures } from './figures.ts'

// npm run bench -- insight measures the same with more scenarios; here are enough to notice that a
// rule was lost.
const seeds = Array.from({ length: 40 }, (_, i) => 7_000 + i)

function currentIn(options: Parameters<typeof generateScenario>[1]) {
  return seeds.map((seed) => {
    const figures = createFigures()
    for (const answer of generateScenario(seed, options)) figures.add(answer)
    return complete(figures.finish()).current!
  })
}

test.each(Object.entries(harmless))('%s: no advice to go back', (_, options) => {
  expect(currentIn(options).filter(({ goBackTo }) => goBackTo !== undefined).length).toBeLessThanOrEqual(6)
})

test.each(Object.entries(worse))('%s: is found', (_, options) => {
  const found = currentIn(options).filter(({ verdict }) => verdict.startsWith('worse'))
  expect(found.length).toBeGreaterThanOrEqual(28)
})

test('a strict reviewer or another mix of tasks is named as what the difference depends on', () => {
  const named = (scenario: string) =>
    currentIn(harmless[scenario]!)
      .map(({ explainedBy }) => explainedBy)
      .filter((factor) => factor !== undefined)
  const byReviewer = named('a strict reviewer joins with the release')
  expect(byReviewer.filter((factor) => factor === 'reviewer').length).toBeGreaterThanOrEqual(25)
  const byCountry = named('the input mix shifts with the release')
  expect(byCountry.filter((factor) => factor === 'context.country').length).toBeGreaterThanOrEqual(15)
})

test('a rise over time within each country is not blamed on a release that looks better because of its mix', () => {
  const drifting = currentIn({
    n: 1_600,
    change(answer, random) {
      const isHard = random.chance(answer.version === '1.1' ? 0.1 : 0.9)
      answer.fields['context.country'] = isHard ? 'far' : 'near'
      answer.negative = (isHard ? 0.3 : 0.05) + 0.2 * answer.position
    },
  })
  const hidden = drifting.filter(({ verdict }) => verdict === 'worse-hidden')
  expect(hidden.length).toBeGreaterThanOrEqual(10)
  const blamed = hidden.filter(({ notSeparatedFrom }) => !notSeparatedFrom.includes('time'))
  expect(blamed.length).toBeLessThanOrEqual(hidden.length / 5)
})

test('a rolled back version runs again, and a version with few of the newest tasks does not run', () => {
  const [rolledBack] = currentIn({
    change(answer) {
      answer.version = answer.position >= 0.3 && answer.position < 0.6 ? '1.1' : '1.0'
    },
  })
  expect(rolledBack!.version).toBe('1.0')
  const [tried] = currentIn({
    change(answer, random) {
      answer.version = answer.position > 0.9 && random.chance(0.05) ? '2.0-test' : '1.0'
    },
  })
  expect(tried!.version).toBe('1.0')
})
