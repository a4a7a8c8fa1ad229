import { expect, test } from 'vitest'
import { describeAction } from './audit-action-labels.ts'

test.each([
  [{ to: null }, 'unassigned a task'],
  [{ to: 'usr_2' }, 'assigned a task'],
])('task.assigned with %o reads "%s"', (details, text) => {
  expect(
    describeAction({ action: 'task.assigned', actor: 'usr_1', subject: 'tsk_1', details } as never),
  ).toBe(text)
})

test.each([
  ['member.joined', 'usr_1', 'joined'],
  ['member.joined', 'service', 'added a member'],
  ['member.removed', 'usr_1', 'left'],
  ['member.removed', 'usr_2', 'removed a member'],
  ['from.a.newer.version', 'usr_2', 'from.a.newer.version'],
])('%s by %s reads "%s"', (action, actor, text) => {
  expect(describeAction({ action, actor, subject: 'usr_1' } as never)).toBe(text)
})
