import { expect, test } from 'vitest'
import { createThemes } from './themes.ts'
import { createTypoIndex } from './typos.ts'

test('of several similar words, a typo is the one with the fewest mistakes', () => {
  const typoOf = createTypoIndex(['invoicing', 'invoice', 'delivery'])
  expect(typoOf('invioce')).toBe('invoice')
  expect(typoOf('invoicng')).toBe('invoicing')
  expect(typoOf('delivry')).toBe('delivery')
  expect(typoOf('delight')).toBeUndefined()
})

test('no more typos are searched for after the maximum number of comparisons', () => {
  const typoOf = createTypoIndex(['invoice'], 2)
  expect([typoOf('invioce'), typoOf('invoce'), typoOf('invoicee')]).toEqual(['invoice', 'invoice', undefined])
})

test('hostile texts with many long words that resemble each other leave turns to others', () => {
  const themes = createThemes()
  const wordOf = (n: number) =>
    `qwbctdvf${String.fromCharCode(...[...String(n)].map((digit) => 103 + Number(digit)))}xyz`
  for (let i = 0; i < 1_000; i++) {
    const words = Array.from({ length: 40 }, (_, k) =>
      wordOf(k < 10 ? (i * 10 + k) % 2_000 : 10_000 + i * 40 + k),
    )
    themes.add(`task ${i}`, words.join(' '), i % 2 === 0)
  }
  let turns = 0
  const steps = themes.finish()
  while (!steps.next().done) turns++
  expect(turns).toBeGreaterThan(600)
})
