import { expect, test } from 'vitest'
import { inventedNumbers } from './invented-numbers.ts'

const figures =
  '**1,240 answers**, 2026-10-16 to 2026-11-15. Negative: 59, 14 % (11–18 %), p < 0.001. Half of the answers came within 2 min.'

test.each([
  'Of 1,240 answers 59 are negative, which is 14% (11-18 %).',
  'Of 1240 answers, half came within 2 min, since 2026-10-16.',
  '1. Check the currency. 2. Ask one person.\n3) Stop.',
  'See tsk_01k90000000000000000000419 and action [7].',
])('a text with numbers from the figures is accepted: %s', (text) => {
  expect(inventedNumbers(text, figures)).toEqual([])
})

test.each([
  ['Negative answers fell by 23 %.', ['23 %']],
  ['About 14.2 % are negative.', ['14.2 %']],
  ['Twenty of the answers say so, twice as many as before.', ['twenty', 'twice']],
  ['It began on 2026-11-10.', ['2026-11-10']],
  ['There are 14 of them, and 59 % more.', ['14', '59 %']],
  ['Between 11 and 19 % are negative.', ['19 %']],
  ['One in three, or 1 in 2, or 1/2.', ['1in2', '1/2', 'one in three']],
  ['There were 8. Then more.', ['8']],
  ['1. Check it. 2. There were 5. Stop.', ['5']],
  ['٢٣ per cent and ２３ per cent', ['٢٣ %', '23 %']],
])('a number that is not among the figures is found: %s', (text, invented) => {
  expect(inventedNumbers(text, figures)).toEqual(invented)
})
