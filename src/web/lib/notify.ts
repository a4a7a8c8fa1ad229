import type { InboxEvent } from '../../contract/inbox.ts'
import { plain } from './plain-text.ts'
import { preference } from './preferences.ts'

const pressing = new Set(['urgent', 'high'])

/** Tells of a pressing new task when the person looks elsewhere and has asked for it. A click opens the task. */
export function notifyOf({ type, taskId, row }: InboxEvent, open: (taskId: string) => void): void {
  if (type !== 'service/task_created' || !row || !pressing.has(row.priority)) return
  if (document.visibilityState === 'visible' || preference('browserNotifications') !== 'on') return
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  // The same tag in two tabs shows it once.
  const notification = new Notification(plain(row.name), {
    body: `${plain(row.app)} / ${row.type}`,
    tag: taskId,
  })
  notification.addEventListener('click', () => {
    window.focus()
    open(taskId)
    notification.close()
  })
}

/** The number on the icon of the installed app, where there is one. */
export function showBadge(open: number): void {
  if (!('setAppBadge' in navigator)) return
  void (open > 0 ? navigator.setAppBadge(open) : navigator.clearAppBadge()).catch(() => undefined)
}
