import { expect, test, vi } from 'vitest'
import type { InboxEvent } from '../../contract/inbox.ts'
import { notifyOfEvent } from './notify.ts'
import { setPreference } from './preferences.ts'

test('a notification shows bidi control characters as marks instead of applying them', () => {
  const shown: unknown[] = []
  class Shown extends EventTarget {
    static permission = 'granted'
    constructor(title: string, { body }: { body: string }) {
      super()
      shown.push([title, body])
    }
  }
  vi.stubGlobal('Notification', Shown)
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  setPreference('browserNotifications', 'on')
  const row = { name: 'pay \u202e001', app: 'shop\u2066', type: 'refund', priority: 'urgent' }
  notifyOfEvent(
    { type: 'service/task_created', taskId: 'tsk_1', row } as InboxEvent,
    'me@shop.example',
    () => undefined,
  )
  expect(shown).toEqual([['pay [RLO]001', 'shop[LRI] / refund']])
})

test('only the person who asked is notified of a reply, whatever the priority', () => {
  const shown: unknown[] = []
  class Shown extends EventTarget {
    static permission = 'granted'
    constructor(title: string, { body }: { body: string }) {
      super()
      shown.push([title, body])
    }
  }
  vi.stubGlobal('Notification', Shown)
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
  notifyOfEvent(reply, 'jonas@shop.example', () => undefined)
  expect(shown).toEqual([])
  notifyOfEvent(reply, 'nadia@shop.example', () => undefined)
  expect(shown).toEqual([['Discount', 'Agent replied: The new one']])
})
