import { expect, test } from 'vitest'
import { type NewTask, weighTask } from './insert-task.ts'

test('the answer for the deadline counts in the size of a batch, as often as it is stored', () => {
  const task = { context: '{}', actions: '[]', description: '' } as NewTask
  const onExpire = { actionId: 'approve', data: { text: 'x'.repeat(200_000) } }
  expect(weighTask({ ...task, onExpire }) - weighTask(task)).toBeGreaterThan(400_000)
})
