import type { InboxEvent } from '../../contract/inbox.ts'
import { escapeBidi } from './escape-bidi.ts'
import { answersQuestion, createsTask } from './event-kinds.ts'
import { preference } from './preferences.ts'

const notifiedPriorities = new Set(['urgent', 'high'])

/**
 * Notifies about a new task of urgent or high priority, a reply to this person's question, a task assigned or escalated to them, a
 * reminder and a note that mentions them, if enabled. Called while the page is hidden.
 */
export function notifyOfEvent(event: InboxEvent, myEmail: string, open: (taskId: string) => void): void {
  const { taskId, row } = event
  if (!row) return
  const isReplyToMe = answersQuestion(event) && row.conversation?.askedBy === myEmail
  const isNew = createsTask(event) && notifiedPriorities.has(row.priority)
  if (!isReplyToMe && !isNew && !event.forYou) return
  if (preference('browserNotifications') !== 'on') return
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  // With the same tag, two tabs show a single notification.
  const notification = new Notification(escapeBidi(row.name), {
    body: event.forYou
      ? describeForYou(event)
      : isReplyToMe
        ? `Agent replied: ${escapeBidi(row.conversation?.text ?? '')}`
        : `${escapeBidi(row.app)} / ${row.type}`,
    tag: taskId,
  })
  notification.addEventListener('click', () => {
    window.focus()
    open(taskId)
    notification.close()
  })
}

function describeForYou({ type, by }: InboxEvent): string {
  if (type === 'service/task_reminded') return 'Reminder: this task still waits for an answer'
  if (type === 'service/task_escalated') return 'This task was escalated to you'
  const author = escapeBidi(by ?? 'A colleague')
  return `${author} ${type === 'service/task_noted' ? 'mentioned you in a note' : 'assigned this to you'}`
}
