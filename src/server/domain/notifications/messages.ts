import { type Priority, priorities } from '../../../contract/task-fields.ts'
import { sanitizeLine } from '../../lib/sanitize-line.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'
import type { Service } from '../service.ts'
import { snippetOf } from '../tasks/inbox-row.ts'
import { taskUrl } from '../tasks/present-task.ts'

export type TaskExcerpt = {
  name: string
  app: string
  type: string
  priority: Priority
  snippet: string
  url: string
  isOpen: boolean
  expiresAt: Date | null
}

/**
 * What a notification says about a task. Its snippet is the beginning of `text`, such as a note.
 */
export function excerptOf(
  { publicUrl }: Pick<Service, 'publicUrl'>,
  task: TaskRow,
  text: string,
): TaskExcerpt {
  return {
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

/** The label of a notification about a new task. */
export const newTaskLabels: Record<Priority, string> = {
  urgent: 'Urgent',
  high: 'High',
  normal: 'New',
  low: 'Low',
}

/** The payload of a Slack incoming webhook, which Mattermost, Rocket.Chat and others accept too. */
export function chatPayload(task: TaskExcerpt, label: string): string {
  const head = `*${escapeForChat(label)}* · <${task.url}|${escapeForChat(task.name)}>`
  const facts = `${escapeForChat(task.app)} / ${task.type}${deadline(task)}`
  return JSON.stringify({ text: `${head}\n${facts}\n${escapeForChat(task.snippet)}` })
}

/** A message to the admins. `links` lead to our own pages. */
export type AdminText = { subject: string; text: string; links: { label: string; url: string }[] }

export function adminChat({ subject, text, links }: AdminText): string {
  const lines = links.map(({ label, url }) => `<${url}|${escapeForChat(label)}>`)
  return JSON.stringify({ text: [`*${escapeForChat(subject)}*`, escapeForChat(text), ...lines].join('\n') })
}

export function testChat(workspaceName: string, url: string): string {
  const name = escapeForChat(workspaceName)
  return JSON.stringify({
    text: `Handrail can post to this chat. Its messages are from the workspace <${url}|${name}>.`,
  })
}

/**
 * Slack reads <…> as a link or a mention and requires &, < and > to be escaped; the bar ends the
 * URL of a link. Mattermost and Rocket.Chat read @all as a mention of everyone and [text](url) as a
 * link.
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

export function deadline({ expiresAt, isOpen }: TaskExcerpt): string {
  return expiresAt === null || !isOpen ? '' : ` · until ${formatUtc(expiresAt)}`
}

/** In UTC, because messages have readers in several time zones. */
export function formatUtc(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
