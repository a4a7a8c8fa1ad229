import { priorities } from '../../../../contract/task-fields.ts'
import { startOf } from '../../../../contract/truncate.ts'
import type { MailContent, MailLink } from '../../../lib/mail-content.ts'
import { sanitizeForMail, sanitizeLine } from '../../../lib/sanitize-line.ts'
import type { NotificationReason } from '../../../storage/notifications/held.ts'
import { type AdminText, deadline, newTaskLabels, type TaskExcerpt } from '../messages.ts'

/**
 * What a delivery by email stores. The email is composed when it is sent, from the tasks as they
 * are then. Of the content of a task only `snippet` is stored, and `clearDeliveries` deletes it
 * with that content.
 */
export type MailBody =
  | { about: 'task'; label: string; snippet: string; isNew?: true }
  | { about: 'digest'; taskIds: string[]; more: number }
  | { about: 'admins'; notice: AdminText }
  | { about: 'test' }
  | StoredMail

/** Queued by an earlier version, which stored the email itself. */
type StoredMail = { about?: undefined; subject: string; text: string }

/** The workspace that an email is from, and the link with which its recipient turns emails off. */
export type MailFrame = { workspaceName: string; inboxUrl: string; unsubscribeUrl: string }

export function taskBody({ snippet }: TaskExcerpt, label: string, reason: NotificationReason): MailBody {
  return { about: 'task', label, snippet, ...(reason === 'new' && { isNew: true as const }) }
}

export function digestBody(taskIds: string[], more: number): MailBody {
  return { about: 'digest', taskIds, more }
}

/**
 * Web and email addresses in texts by agents and people are changed so that mail programs do not
 * turn them into links. What happened (for a new task, the label of its priority) is in the first
 * line and not in the subject, because Gmail starts another conversation when the subject changes.
 */
export function taskMail(
  task: TaskExcerpt,
  { label, isNew = false }: { label: string; isNew?: boolean },
  frame: MailFrame,
): MailContent {
  const facts = [
    sanitizeForMail(frame.workspaceName),
    taskFacts(task),
    ...(isNew || task.priority === 'normal' ? [] : [`${priorityNames[task.priority]} priority`]),
  ]
  return {
    subject: subjectLine(`[${frame.workspaceName}] ${task.name}`),
    blocks: [
      {
        kind: 'head',
        label: sanitizeForMail(isNew ? newTaskLabels[task.priority] : label),
        title: sanitizeForMail(task.name),
        facts: facts.join(' · '),
        isUrgent: task.priority === 'urgent',
      },
      ...(task.snippet === '' ? [] : [{ kind: 'text' as const, text: sanitizeForMail(task.snippet) }]),
      { kind: 'button', label: 'Open the task', url: task.url },
    ],
    footer: chosenFooter(frame),
  }
}

const priorityNames = { urgent: 'Urgent', high: 'High', normal: 'Normal', low: 'Low' }

/** Several tasks in one email, by priority. `more` further tasks are only counted. */
export function digestMail(tasks: TaskExcerpt[], more: number, frame: MailFrame): MailContent {
  const count = tasks.length + more
  const waiting = count === 1 ? '1 task is waiting' : `${count} tasks are waiting`
  const groups = priorities.map((priority) => ({
    kind: 'list' as const,
    title: `${priorityNames[priority]} priority`,
    items: tasks
      .filter((task) => task.priority === priority)
      .map((task) => ({ title: sanitizeForMail(task.name), facts: taskFacts(task), url: task.url })),
  }))
  return {
    subject: subjectLine(`${waiting} in ${frame.workspaceName}`),
    blocks: [
      ...groups.filter(({ items }) => items.length > 0),
      ...(more > 0 ? [{ kind: 'text' as const, text: `And ${more} more.` }] : []),
      { kind: 'button', label: 'Open the inbox', url: frame.inboxUrl },
    ],
    footer: chosenFooter(frame),
  }
}

/**
 * Admins get this email even if they have not turned emails on, so it has no link to turn them off.
 */
export function adminMail({ subject, text, links }: AdminText, { workspaceName }: MailFrame): MailContent {
  return {
    subject: subjectLine(`[${workspaceName}] ${subject}`),
    blocks: [
      { kind: 'text', text: sanitizeForMail(text) },
      { kind: 'links', links },
    ],
    footer: {
      reason: `You get this email because you are an admin of the workspace ${sanitizeForMail(workspaceName)}.`,
      links: [],
    },
  }
}

export function testMail(frame: MailFrame): MailContent {
  const workspace = sanitizeForMail(frame.workspaceName)
  return {
    subject: 'Handrail can reach you',
    blocks: [
      {
        kind: 'text',
        text: `This is a test from the workspace ${workspace}.`,
      },
      { kind: 'button', label: 'Open the inbox', url: frame.inboxUrl },
    ],
    footer: {
      ...chosenFooter(frame),
      reason: 'You get this email because you sent a test in Settings, Notifications.',
    },
  }
}

function taskFacts(task: TaskExcerpt): string {
  return `${sanitizeForMail(task.app)} / ${sanitizeForMail(task.type)}${deadline(task)}`
}

function chosenFooter({ workspaceName, unsubscribeUrl }: MailFrame): { reason: string; links: MailLink[] } {
  return {
    reason: 'You get this email because you turned it on in Settings, Notifications.',
    links: [
      { label: `Turn off emails about tasks in ${sanitizeForMail(workspaceName)}`, url: unsubscribeUrl },
    ],
  }
}

function subjectLine(text: string): string {
  return startOf(sanitizeLine(text), 200)
}
