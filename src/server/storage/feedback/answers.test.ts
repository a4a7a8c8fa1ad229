import { expect, test } from 'vitest'
import { parseCached } from './answers.ts'

test('the actions of tasks are cached, but not long ones, which senders could fill the memory with', () => {
  const short = JSON.stringify([{ id: 'approve', title: 'Approve' }])
  const long = JSON.stringify([{ id: 'approve', title: 'Approve', description: 'x'.repeat(100_000) }])
  expect(parseCached(short)).toBe(parseCached(short))
  expect(parseCached(long)).toEqual(parseCached(long))
  expect(parseCached(long)).not.toBe(parseCached(long))
})
