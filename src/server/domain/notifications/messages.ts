import { type Priority, priorities } from '../../../contract/task.ts'
import { sanitizeLine } from '../../lib/sanitize-line.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'
import type { Service } from '../service.ts'
import { snippetOf } from '../tasks/inbox-row.ts'
import { taskUrl } from '../tasks/present-task.ts'

export type TaskNotice = {
  taskId: string
  name: string
  app: string
  type: string
  priority: Priority
  snippet: string
  url: string
  isOpen: boolean
  expiresAt: Date | null
}
/** About a task, with the beginning of a text: its description, a reply of its agent, or a note. */
export function noticeOf({ publicUrl }: Pick<Service, 'publicUrl'>, task: TaskRow, text: string): TaskNotice {
  return {
    taskId: task.id,
    name: task.name,
    app: task.app,
    type: task.type,
    priority: priorities[task.priority]!,
    snippet: snippetOf(text),
    url: taskUrl(publicUrl, task.workspaceId, task.id),
    isOpen: task.status === 'open',
    expiresAt: task.expiresAt,
  }
}

export type MailText = { subject: string; text: string }

export const priorityLabels: Record<Priority, string> = {
  urgent: 'Urgent',
  high: 'High',
  normal: 'New',
  low: 'Low',
}

/**
 * The only link leads to the task: the agent's own text is made harmless, because mail programs turn
 * it into links. Mail scanners open links, so opening one never answers a task.
 */
export function taskMail(task: TaskNotice, label: string): MailText {
  return {
    subject: `${sanitizeLine(label)}: ${sanitizeLine(task.name)}`.slice(0, 200).toWellFormed(),
    text: [
      sanitizeLine(task.name),
      `${sanitizeLine(task.app)} / ${task.type}${deadline(task)}`,
      '',
      sanitizeLine(task.snippet),
      '',
      `${task.isOpen ? 'Answer' : 'Open'} it: ${task.url}`,
      '',
      'You get this email because you turned it on in Settings, Notifications.',
    ].join('\n'),
  }
}

const maxTasksInDigest = 20

/** Several tasks in one message. */
export function digestMail(tasks: TaskNotice[]): MailText {
  const listed = tasks.slice(0, maxTasksInDigest)
  const more = tasks.length - listed.length
  return {
    subject: `${tasks.length} tasks are waiting`,
    text: [
      ...listed.flatMap((task) => [
        sanitizeLine(task.name),
        `${sanitizeLine(task.app)} / ${task.type}${deadline(task)}`,
        task.url,
        '',
      ]),
      ...(more > 0 ? [`And ${more} more.`, ''] : []),
      'You get this email because you turned it on in Settings, Notifications.',
    ].join('\n'),
  }
}

/** The payload of a Slack incoming webhook, which Mattermost, Rocket.Chat and others accept too. */
export function chatText(task: TaskNotice, label: string): string {
  const head = `*${escapeForChat(label)}* · <${task.url}|${escapeForChat(task.name)}>`
  const facts = `${escapeForChat(task.app)} / ${task.type}${deadline(task)}`
  return JSON.stringify({ text: `${head}\n${facts}\n${escapeForChat(task.snippet)}` })
}

/** `links` lead to our own pages. */
type AdminText = { subject: string; text: string; links: { label: string; url: string }[] }

/** About something that only admins can mend. */
export function adminMail({ subject, text, links }: AdminText): MailText {
  return {
    subject: sanitizeLine(subject).slice(0, 200).toWellFormed(),
    text: [
      sanitizeLine(text),
      '',
      ...links.map(({ label, url }) => `${label}: ${url}`),
      '',
      'You get this email because you are an admin of the workspace.',
    ].join('\n'),
  }
}

export function adminChat({ subject, text, links }: AdminText): string {
  const lines = links.map(({ label, url }) => `<${url}|${escapeForChat(label)}>`)
  return JSON.stringify({ text: [`*${escapeForChat(subject)}*`, escapeForChat(text), ...lines].join('\n') })
}

export function testMail(workspaceName: string, url: string): MailText {
  return {
    subject: 'Handrail can reach you',
    text: `This is a test from the workspace ${sanitizeLine(workspaceName)}. Emails about new tasks will look like this one.\n\n${url}`,
  }
}

export function testChat(workspaceName: string, url: string): string {
  const name = escapeForChat(workspaceName)
  return JSON.stringify({
    text: `Handrail can reach this channel. It will post new tasks from <${url}|${name}>.`,
  })
}

/**
 * Slack reads <…> as a link or a mention and requires &, < and > to be escaped; the bar ends a link's
 * URL. Mattermost and Rocket.Chat notify everyone at a bare @all and read [text](url) as a link.
 */
function escapeForChat(text: string): string {
  return sanitizeLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('|', '¦')
    .replaceAll('@', '＠')
    .replaceAll('](', '] (')
}

function deadline({ expiresAt, isOpen }: TaskNotice): string {
  return expiresAt === null || !isOpen
    ? ''
    : ` · until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
