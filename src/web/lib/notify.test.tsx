import { expect, test, vi } from 'vitest'
import type { InboxEvent } from '../../contract/inbox.ts'
import { notifyOfEvent } from './notify.ts'
import { preference, setPreference } from './preferences.ts'

/** Returns the list of the notifications that are shown from now on: name and text of each. */
function stubNotifications(): [name: string, text: string][] {
  const shown: [string, string][] = []
  class Shown extends EventTarget {
    static permission = 'granted'
    constructor(name: string, { body }: { body: string }) {
      super()
      shown.push([name, body])
    }
  }
  vi.stubGlobal('Notification', Shown)
  return shown
}

test('a notification shows bidi control characters as marks instead of applying them', () => {
  const shown = stubNotifications()
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  setPreference('browserNotifications', 'on')
  const row = { name: 'pay \u202e001', app: 'shop\u2066', type: 'refund', priority: 'urgent' }
  notifyOfEvent(
    { type: 'service/task_created', taskId: 'tsk_1', row } as InboxEvent,
    { email: 'me@shop.example', groups: [] },
    () => undefined,
  )
  expect(shown).toEqual([['pay [RLO]001', 'shop[LRI] / refund']])
})

test('only the person who asked is notified of a reply, whatever the priority', () => {
  const shown = stubNotifications()
  const reply = {
    type: 'service/task_updated',
    taskId: 'tsk_1',
    update: { message: 'The new one', level: 'info', answers: 'qst_1' },
    row: {
      name: 'Discount',
      priority: 'low',
      conversation: { text: 'The new one', askedBy: 'nadia@shop.example' },
    },
  } as InboxEvent
  notifyOfEvent(reply, { email: 'jonas@shop.example', groups: [] }, () => undefined)
  expect(shown).toEqual([])
  notifyOfEvent(reply, { email: 'nadia@shop.example', groups: [] }, () => undefined)
  expect(shown).toEqual([['Discount', 'Agent replied: The new one']])
})

test.each([
  ['service/task_assigned', 'nadia@shop.example', 'Mara assigned this task to you'],
  ['service/task_assigned', 'group:finance', 'Mara assigned this task to your group'],
  // A group of theirs that is not loaded yet, or a group of others and a note that mentions them.
  ['service/task_assigned', 'group:sales', 'Mara assigned this task'],
  // Assigned to someone else since, or the note of the assignment mentions them.
  ['service/task_assigned', 'jonas@shop.example', 'Mara assigned this task or mentioned you in its note'],
  ['service/task_escalated', 'nadia@shop.example', 'This task was escalated to you'],
  ['service/task_escalated', 'group:finance', 'This task was escalated to your group'],
  ['service/task_escalated', undefined, 'This task was escalated'],
  ['service/task_noted', undefined, 'Mara mentioned you in a note'],
])('%s to %s is notified of as what it is', (type, assignedTo, body) => {
  const shown = stubNotifications()
  const row = { name: 'Discount', ...(assignedTo && { assignedTo }) }
  const event = { type, taskId: 'tsk_1', by: 'Mara', forYou: true, row } as InboxEvent
  notifyOfEvent(event, { email: 'nadia@shop.example', groups: ['group:finance'] }, () => undefined)
  expect(shown).toEqual([['Discount', body]])
})

test.each([
  ['nadia@shop.example', true],
  ['group:finance', true],
  ['jonas@shop.example', false],
  [undefined, false],
])('a new task of low priority that is assigned to %s is notified of: %s', (assignedTo, isShown) => {
  const shown = stubNotifications()
  const row = { name: 'Discount', app: 'shop', type: 'discount', priority: 'low', assignedTo }
  const created = { type: 'service/task_created', taskId: 'tsk_1', row } as InboxEvent
  notifyOfEvent(created, { email: 'nadia@shop.example', groups: ['group:finance'] }, () => undefined)
  expect(shown).toEqual(isShown ? [['Discount', 'shop / discount']] : [])
})

test('a browser that shows no notifications from pages turns them off', () => {
  class Illegal {
    static permission = 'granted'
    constructor() {
      throw new TypeError('Illegal constructor')
    }
  }
  vi.stubGlobal('Notification', Illegal)
  setPreference('browserNotifications', 'on')
  const row = { name: 'Refund', app: 'shop', type: 'refund', priority: 'urgent' }
  const created = { type: 'service/task_created', taskId: 'tsk_1', row } as InboxEvent
  notifyOfEvent(created, { email: 'me@shop.example', groups: [] }, () => undefined)
  expect(preference('browserNotifications')).toBe('off')
})
