import { expect, test } from 'vitest'
import { distinctQuotes } from './theme-quotes.ts'

const quotesOf = (...texts: string[]) =>
  distinctQuotes(texts.map((text, i) => ({ taskId: `tsk_${i}`, text, terms: new Set<string>() })))

test('a text without words is quoted once', () => {
  expect(quotesOf('👎')).toEqual([{ taskId: 'tsk_0', text: '👎' }])
  expect(quotesOf('👎', '👎', '???', 'Too formal').map(({ text }) => text)).toEqual([
    '👎',
    '???',
    'Too formal',
  ])
})

test('texts that share 70 % of their words or more are quoted only if there are too few others', () => {
  const texts = ['The price is wrong', 'The price is wrong again', 'No photo here', 'Too formal for me']
  expect(quotesOf(...texts).map(({ text }) => text)).toEqual([texts[0], texts[2], texts[3]])
  expect(quotesOf(...texts.slice(0, 2)).map(({ text }) => text)).toEqual([texts[0]])
  expect(quotesOf('one two three four', 'one two three five').map(({ taskId }) => taskId)).toEqual([
    'tsk_0',
    'tsk_1',
  ])
})
