import { expect, test } from 'vitest'
import type { TaskRow } from '../../storage/tasks/tasks.ts'
import { whyNot } from './explain-refusal.ts'

test.each([
  [{ by: ['usr_a'] }, 'a@x'],
  [{ by: ['usr_a'], within: ['usr_b'] }, 'those of a@x who are also among b@x'],
  [{ within: ['usr_b'] }, 'those of members of the workspace who are also among b@x'],
  [{ by: ['usr_left'] }, 'people or groups that are no longer in the workspace'],
  [{ by: ['usr_a'], within: ['usr_left'] }, 'people or groups that are no longer in the workspace'],
])('who is not named reads who is: %j', (named, who) => {
  const reviewNames = { usr_a: 'a@x', usr_b: 'b@x' }
  const task = { review: { ...named, needed: 1, onDecline: 'end' }, reviewNames, answerCount: 0 }
  expect(whyNot('not named', task as unknown as TaskRow)).toBe(`Only ${who} may answer this task.`)
})
