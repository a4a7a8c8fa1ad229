import { describe, expect, test } from 'vitest'
import { createRandom } from '../demo/random.ts'
import { agreementOf, krippendorffAlpha, type ValuePair } from './agreement.ts'

/** By definition: one minus observed over expected disagreement, from the coincidence matrix. */
function alphaByDefinition(pairs: ValuePair[]): number {
  const values = [...new Set(pairs.flat())]
  const coincidences = (c: string, k: string) =>
    pairs.reduce((sum, [a, b]) => sum + (a === c && b === k ? 1 : 0) + (b === c && a === k ? 1 : 0), 0)
  const marginal = (c: string) => values.reduce((sum, k) => sum + coincidences(c, k), 0)
  const n = values.reduce((sum, c) => sum + marginal(c), 0)
  let [observed, expected] = [0, 0]
  for (const c of values)
    for (const k of values)
      if (c !== k) {
        observed += coincidences(c, k) / n
        expected += (marginal(c) * marginal(k)) / (n * (n - 1))
      }
  return 1 - observed / expected
}

describe("Krippendorff's alpha", () => {
  test('of a published example with two coders and ten binary units is 0.095', () => {
    const one = '0 1 0 0 0 0 0 0 1 0'.split(' ')
    const other = '1 1 1 0 0 1 0 0 0 0'.split(' ')
    expect(krippendorffAlpha(one.map((value, n) => [value, other[n]!]))).toBeCloseTo(0.095, 3)
  })

  test('is what its definition says, for any answers', () => {
    const random = createRandom(20)
    for (let round = 0; round < 50; round++) {
      const values = ['a', 'b', 'c', 'd']
      const pairs = Array.from(
        { length: 2 + round },
        (): ValuePair => [random.pick(values), random.pick(values)],
      )
      if (new Set(pairs.flat()).size > 1)
        expect(krippendorffAlpha(pairs)).toBeCloseTo(alphaByDefinition(pairs), 10)
    }
  })

  test('is not known if everybody always gave the same answer', () => {
    const alike: ValuePair = ['a', 'a']
    expect(krippendorffAlpha([alike, alike])).toBeNull()
  })
})

describe('agreement', () => {
  const schema = { type: 'object', properties: { size: { enum: ['s', 'm'] }, why: { type: 'string' } } }
  const actions = [
    { id: 'yes', title: 'Yes', schema },
    { id: 'no', title: 'No' },
  ]
  const answer = (by: string, actionId: string, data = {}) => ({ by, actionId, data })

  test('counts the first two answers, choice fields of the same action, and each person against the majority', () => {
    const [small, medium] = [
      { size: 's', why: 'x' },
      { size: 'm', why: 'y' },
    ]
    const result = agreementOf([
      { actions, answers: [answer('ana', 'yes', small), answer('ben', 'yes', medium)] },
      { actions, answers: [answer('ana', 'yes', small), answer('ben', 'yes', small)] },
      { actions, answers: [answer('ana', 'yes'), answer('ben', 'no'), answer('cem', 'no')] },
      { actions, answers: [answer('ana', 'no'), answer('ben', 'yes')] },
    ])!
    expect(result.action).toMatchObject({ count: 2, n: 4, share: 0.5 })
    expect(result.fields).toMatchObject([{ title: 'Size', actionTitle: 'Yes', count: 1, n: 2 }])
    expect(result.people).toMatchObject([
      { person: 'ana', count: 2, n: 3 },
      { person: 'ben', count: 3, n: 3 },
      { person: 'cem', count: 1, n: 1 },
    ])
    expect(agreementOf([])).toBeUndefined()
  })
})
