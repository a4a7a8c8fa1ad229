import { expect, test } from 'vitest'
import { loaded, row } from '../../../../test/support/inbox-samples.ts'
import { type ListedRow, positionLabel } from './listed-rows.ts'

test('rows that have ended have no position and do not count in those of others', () => {
  const [first, ...rest] = loaded([row('a'), row('b'), row('c')]).rows
  const rows = [{ ...first, ending: { how: 'handled' } } as ListedRow, ...rest]
  expect(rows.map((_, index) => positionLabel(rows, index, 2))).toEqual([undefined, '1 of 2', '2 of 2'])
})
