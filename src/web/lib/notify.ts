import { groupPrefix } from '../../contract/group-prefix.ts'
import type { InboxEvent } from '../../contract/inbox.ts'
import { escapeBidi } from './escape-bidi.ts'
import { createsTask, repliesToQuestion } from './event-kinds.ts'
import { preference, setPreference } from './preferences.ts'

/** `groups` are the groups of the person, as `group:<slug>`. */
type Recipient = { email: string; groups: string[] }

const notifiedPriorities = new Set(['urgent', 'high'])

/**
 * Shows a browser notification, if the person has enabled them, about a new task that is urgent, of
 * high priority or assigned to this person or their group, about a reply to their question, and about
 * an event that the service marks with `forYou`. Call it only while the page is hidden.
 */
export function notifyOfEvent(event: InboxEvent, me: Recipient, open: (taskId: string) => void): void {
  const { taskId, row } = event
  const isReplyToMe = repliesToQuestion(event) && row?.conversation?.askedBy === me.email
  const isNew =
    createsTask(event) && row && (notifiedPriorities.has(row.priority) || targetOf(event, me) !== '')
  if (!isReplyToMe && !isNew && !event.forYou) return
  if (preference('browserNotifications') !== 'on') return
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  // With the same tag, two tabs show a single notification.
  const options = { body: bodyOf(event, me, isReplyToMe), tag: taskId }
  const notification = showNotification(escapeBidi(row?.name ?? 'A task'), options)
  if (!notification) {
    // This browser can't show any.
    setPreference('browserNotifications', 'off')
    return
  }
  notification.addEventListener('click', () => {
    window.focus()
    open(taskId)
    notification.close()
  })
}

/**
 * Returns undefined in browsers where only a service worker can show notifications, such as Chrome
 * on Android.
 */
export function showNotification(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options)
  } catch {
    return undefined
  }
}

function bodyOf(event: InboxEvent, me: Recipient, isReplyToMe: boolean): string {
  const { row } = event
  if (event.forYou) return describeForYou(event, me)
  return isReplyToMe
    ? `Agent replied: ${escapeBidi(row?.conversation?.text ?? '')}`
    : `${escapeBidi(row?.app ?? '')} / ${row?.type}`
}

function describeForYou({ type, by, row }: InboxEvent, me: Recipient): string {
  if (type === 'service/task_reminded') return 'Reminder: this task still waits for an answer'
  const target = targetOf({ row }, me)
  if (type === 'service/task_escalated') return `This task was escalated${target}`
  const author = escapeBidi(by ?? 'A colleague')
  if (type !== 'service/task_assigned') return `${author} mentioned you in a note`
  // The groups of this person may not be loaded yet, and the event of an ended task has no row.
  if (target !== '' || !row || row.assignedTo?.startsWith(groupPrefix))
    return `${author} assigned this task${target}`
  // The row has the current assignee: the task may have been assigned to someone else since the event.
  return `${author} assigned this task or mentioned you in its note`
}

/** " to you", " to your group", or empty if the task is not assigned to this person. */
function targetOf({ row }: Pick<InboxEvent, 'row'>, { email, groups }: Recipient): string {
  const to = row?.assignedTo
  if (to === undefined) return ''
  return to === email ? ' to you' : groups.includes(to) ? ' to your group' : ''
}
