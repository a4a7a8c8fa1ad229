import { expect, test } from 'vitest'
import { complete } from '../../lib/event-loop.ts'
import { createRandom } from '../demo/random.ts'
import { createPastAnswerTable } from './past-answer-table.ts'
import type { PastAnswer } from './past-answers.ts'

/** The fields that could be conditions. */
function columnsOf(count: number, data: (i: number) => object): string[] {
  const table = createPastAnswerTable()
  for (let i = 0; i < count; i++) table.add({ contextData: data(i) } as PastAnswer, undefined)
  return complete(table.finish()).columns.map(({ field }) => field)
}

test('ids, names, long texts and times cannot be conditions', () => {
  const random = createRandom(1)
  const columns = columnsOf(300, (i) => ({
    amount: Math.floor(5_000 * random.next()) / 100,
    quantity: i % 7,
    region: random.pick(['EU', 'US']),
    isNew: i % 2 === 0,
    orderId: `order-${i}`,
    customer: { name: `Name ${i % 40}` },
    note: i === 299 ? 'x'.repeat(61) : 'short',
    counter: 10_000 - i,
    placedAt: 1_700_000_000_000 + 1_000 * i,
    accountId: Math.floor(100_000 * random.next()),
    reference: Math.floor(1e12 * random.next()),
  }))
  expect(columns).toEqual(['amount', 'quantity', 'region', 'isNew'])
})

test('a field that only some tasks have keeps the order of the tasks', () => {
  const table = createPastAnswerTable()
  for (const data of [{}, { a: 1 }, {}, { a: 'x' }, {}])
    table.add({ contextData: data } as unknown as PastAnswer, undefined)
  expect(complete(table.finish()).columns).toEqual([
    { field: 'a', values: [undefined, 1, undefined, 'x', undefined] },
  ])
})

test('equal answers are one, in any order of their fields', () => {
  const table = createPastAnswerTable()
  const given = [{ a: 1, b: 2 }, { b: 2, a: 1 }, { a: 1 }, { a: 'x'.repeat(2_000) }]
  for (const data of given) table.add({ contextData: {} } as PastAnswer, { actionId: 'send', data })
  table.add({ contextData: {} } as PastAnswer, undefined)
  const { rows, answers } = complete(table.finish())
  expect(rows.map(({ answer }) => answer)).toEqual([0, 0, 1, -1, -1])
  expect(answers.map(({ data }) => data)).toEqual([{ a: 1, b: 2 }, { a: 1 }])
})
