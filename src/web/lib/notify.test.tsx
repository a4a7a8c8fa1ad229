import { expect, test, vi } from 'vitest'
import type { InboxEvent } from '../../contract/inbox.ts'
import { notifyNewTask } from './notify.ts'
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
  notifyNewTask({ type: 'service/task_created', taskId: 'tsk_1', row } as InboxEvent, () => undefined)
  expect(shown).toEqual([['pay [RLO]001', 'shop[LRI] / refund']])
})
