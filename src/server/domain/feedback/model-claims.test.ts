import { expect, test } from 'vitest'
import { contradictsVerdict, namesSomething } from './model-claims.ts'

const health = (isHealthy: boolean) => ({ isHealthy }) as Parameters<typeof contradictsVerdict>[1]

test.each([
  ['Nothing needs to change.', true],
  ['The form needs no changes.', true],
  ['Nothing changed between [1] and [2].', false],
  ['Nothing improved between [1] and [2].', false],
])('if it is not healthy, a text must not say that nothing is to be done: %s', (text, isRefused) => {
  expect(contradictsVerdict(text, health(false))).toBe(isRefused)
})

test.each([
  ['An urgent problem.', true],
  ['There is no doubt that this is urgent.', true],
  ['There is no urgent problem.', false],
  ['There is no large or urgent problem, and no need for an immediate action.', false],
])(
  'if it is healthy, a text must not alarm, but may say that there is no reason to: %s',
  (text, isRefused) => {
    expect(contradictsVerdict(text, health(true))).toBe(isRefused)
  },
)

test.each([
  ['Remove the action refund.', true],
  ['Action refund is chosen most.', true],
  ['Refund actions are negative.', true],
  ['Actions are refunded by hand.', false],
  ['Refund the customer first.', false],
])('a name that is an ordinary word counts as one beside a word for what has a name: %s', (text, isName) => {
  expect(namesSomething(text, ['refund'])).toBe(isName)
})
