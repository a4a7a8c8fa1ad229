import { render } from '@testing-library/react'
import type { ReactElement } from 'react'
import { expect, test } from 'vitest'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { AnswerByLine, DeadlineLine } from './deadline-line.tsx'

const now = new Date(2026, 10, 15, 20, 28).getTime()
const minutes = (n: number) => new Date(now + n * 60_000).toISOString()

function line(expiresAt: string, sent?: object) {
  const actions = [{ id: 'no', title: 'No' }]
  const task = { actions, sent: { task: {}, ...sent } } as MemberTaskRecord
  return readLine(<DeadlineLine task={task} expiresAt={expiresAt} now={now} />)
}

function readLine(element: ReactElement) {
  const { container } = render(element)
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

test.each([
  [72, 'deadline', 'Answer by TIME (1 h left).'],
  [0, 'deadline late', 'Answer by TIME (late).'],
  [-8, 'deadline late', 'Answer by TIME (8 min late).'],
])('a target time in %i minutes is a sentence with the time left or past', (left, className, text) => {
  expect(readLine(<AnswerByLine answerBy={minutes(left)} now={now} />)).toEqual([className, text])
})
