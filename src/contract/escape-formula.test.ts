import { expect, test } from 'vitest'
import { escapeFormula } from './escape-formula.ts'

test.each([
  '=1',
  '+1',
  '-1',
  '@a',
  '|a',
  '%a',
  '\ta',
  '\ra',
  '\na',
  ' =1',
  '\0=1',
  '＝1',
  '＋1',
  '－1',
  '＠a',
])('%j cannot run as a formula', (text) => expect(escapeFormula(text)).toBe(`'${text}`))

test('other text stays as it is', () => {
  expect(['1', 'a=b', '', ' a'].map(escapeFormula)).toEqual(['1', 'a=b', '', ' a'])
})
