import { expect, test } from 'vitest'
import { afterPage, event, loaded, page, row } from '../../../../test/support/inbox-samples.ts'
import { limits } from '../../../contract/limits.ts'
import { changeInbox } from './change-inbox.ts'
import { setSizeOf } from './inbox-counts.ts'
import type { InboxState } from './inbox-state.ts'

const handled = (state: InboxState, taskId: string) =>
  changeInbox(state, { kind: 'event', cursor: afterPage, event: event('service/task_handled', taskId) })

test('a task that a refresh did not find is not subtracted again when it ends', () => {
  const missing = changeInbox(loaded([row('a'), row('b')]), { kind: 'refreshed', page: page([row('b')]) })
  expect(missing.counts.open).toBe(1)
  expect(handled(missing, 'a').counts).toEqual(missing.counts)
  const answered = changeInbox(missing, { kind: 'answered', taskIds: new Set(['a']) })
  expect(answered.counts).toEqual(missing.counts)
})

test.each([
  ['ends', (state: InboxState) => handled(state, 'c')],
  [
    'is answered here',
    (state: InboxState) => changeInbox(state, { kind: 'answered', taskIds: new Set(['c']) }),
  ],
  [
    'is escalated',
    (state: InboxState) => {
      const escalated = event('service/task_escalated', 'c', { row: row('c', { priority: 'high' }) })
      return changeInbox(state, { kind: 'event', cursor: afterPage, event: escalated })
    },
  ],
])('if an unlisted task %s while the service counts, it counts again', (_, change) => {
  const first = { ...loaded([row('a')]), areCountsUnsure: true, nextCursor: 'next' }
  const recounted = { kind: 'recounted', page: page([row('a')]), since: first.counts } as const
  expect(changeInbox(first, recounted).areCountsUnsure).toBe(false)
  expect(changeInbox(change(first), recounted).areCountsUnsure).toBe(true)
})

test('the size of the list is not known if the tasks that wait for the agent were counted only up to the limit', () => {
  const { counts } = loaded([row('a')])
  const withWaiting = (waiting: number) => setSizeOf({ ...counts, waiting }, 1)
  expect(withWaiting(limits.countPerPriority - 1)).toBe(limits.countPerPriority)
  expect(withWaiting(limits.countPerPriority)).toBe(-1)
})
