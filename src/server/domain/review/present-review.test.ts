import { expect, test } from 'vitest'
import type { TaskRow } from '../../storage/tasks/tasks.ts'
import { presentReview } from './present-review.ts'

test('a person whom the sender excluded and who is behind the task is listed once', () => {
  const review = { notBy: ['usr_a'], requesters: ['usr_a', 'usr_b'], needed: 2, onDecline: 'end' }
  const reviewNames = { usr_a: 'a@x', usr_b: 'b@x' }
  const row = { review, reviewNames, answerCount: 0 } as unknown as TaskRow
  expect(presentReview(row)).toEqual({ notBy: ['a@x', 'b@x'], needed: 2, onDecline: 'end', given: 0 })
})
