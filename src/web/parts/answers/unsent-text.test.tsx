import { expect, test } from 'vitest'
import { explainNotSent } from './unsent-text.ts'

test.each([
  ['mara@shop.example', 'Not sent: Mara answered first with “Approve”.'],
  ['service:timeout', 'Not sent: the deadline has passed.'],
])('the answer to a task that %s has answered reads "%s"', (handledBy, text) => {
  const problem = { code: 'task_not_open', taskStatus: 'handled', handledBy }
  expect(explainNotSent({ problem, chosen: 'Approve' } as never, 'me@shop.example', () => 'Mara')).toBe(text)
})
