import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { DeadlineLine } from './deadline-line.tsx'

const now = new Date(2026, 10, 15, 20, 28).getTime()
const minutes = (n: number) => new Date(now + n * 60_000).toISOString()

function line(expiresAt: string, sent?: object) {
  const actions = [{ id: 'no', title: 'No' }]
  const task = { actions, sent: { task: {}, ...sent } } as MemberTaskRecord
  const { container } = render(<DeadlineLine task={task} expiresAt={expiresAt} now={now} />)
  const { className, textContent } = container.querySelector('p')!
  return [className, textContent!.replace(/\d+:\d\d( [AP]M)?/, 'TIME')]
}

test.each([
  [72, { onExpire: { actionId: 'no' } }, 'deadline', 'At TIME, No is sent automatically.1 h left'],
  [72, {}, 'deadline', 'At TIME this task expires.1 h left'],
  [29, { onExpire: { actionId: 'no' } }, 'deadline soon', 'At TIME, No is sent automatically.29 min left'],
  [
    -1,
    { onExpire: { actionId: 'no' } },
    'deadline late',
    'The deadline has passed. No is being sent automatically.',
  ],
  [-1, {}, 'deadline late', 'The deadline has passed. This task is expiring.'],
])('a deadline in %i minutes explains what happens without an answer (%o)', (left, sent, className, text) => {
  expect(line(minutes(left), sent)).toEqual([className, text])
})

test('a deadline on another day includes the date', () => {
  expect(line(minutes(24 * 60))[1]).toMatch(/^On .+ TIME this task expires\./)
})
