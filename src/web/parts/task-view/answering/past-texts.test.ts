import { expect, test } from 'vitest'
import { distinctTexts, frequentTexts } from './past-texts.ts'

test('the most frequent texts come first, then the newest, and long texts only if they were repeated', () => {
  const long = 'This order was already refunded by the payment provider, see the ledger of the shop'
  const texts = [
    'New',
    'Too late.',
    long,
    'Too late',
    'Only once',
    `${long}.`,
    long,
    'Two\nlines',
    7,
    '',
    `${long}!`,
  ]
  expect(frequentTexts(texts, { minCount: 1 })).toEqual([long, 'Too late.', 'New', 'Only once'])
  expect(frequentTexts(texts, { minCount: 2 })).toEqual([long, 'Too late.'])
})

test('a text that differs only by its final period is offered once', () => {
  expect(distinctTexts(['Too late.', 'New', 'Too late', 'New!'])).toEqual(['Too late.', 'New', 'New!'])
})
