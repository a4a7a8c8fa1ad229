import type { Priority } from '../../../contract/task.ts'
import { plain } from '../feedback/harmless.ts'

export type Told = {
  name: string
  app: string
  type: string
  priority: Priority
  snippet: string
  url: string
  expiresAt: Date | null
}
export type MailText = { subject: string; text: string }

const word: Record<Priority, string> = { urgent: 'Urgent', high: 'High', normal: 'New', low: 'Low' }

/**
 * Links lead to the task and nowhere else, whatever a mail program makes of what the agent wrote; and one that opens them
 * decides nothing.
 */
export function mailText(task: Told): MailText {
  return {
    subject: `${word[task.priority]}: ${plain(task.name)}`.slice(0, 200).toWellFormed(),
    text: [
      plain(task.name),
      `${plain(task.app)} / ${task.type}${deadline(task)}`,
      '',
      plain(task.snippet),
      '',
      `Answer it: ${task.url}`,
      '',
      'You get this mail because you asked for it in Settings, Notifications.',
    ].join('\n'),
  }
}

/** Slack's incoming webhook, which Mattermost, Rocket.Chat and others take as well. */
export function chatText(task: Told): string {
  const head = `*${word[task.priority]}* · <${task.url}|${escaped(task.name)}>`
  const facts = `${escaped(task.app)} / ${task.type}${deadline(task)}`
  return JSON.stringify({ text: `${head}\n${facts}\n${escaped(task.snippet)}` })
}

export function testMail(workspaceName: string, url: string): MailText {
  return {
    subject: 'Handrail can reach you',
    text: `This is a test from the workspace ${plain(workspaceName)}. Mails about new tasks will look like this one.\n\n${url}`,
  }
}

export function testChat(workspaceName: string, url: string): string {
  const name = escaped(workspaceName)
  return JSON.stringify({
    text: `Handrail can reach this channel. It tells of new tasks in <${url}|${name}>.`,
  })
}

/**
 * Slack reads <…> as a link or a call to everyone, and wants these three escaped; the bar ends a link's address. Mattermost and
 * Rocket.Chat call everyone at a bare @all and read [words](address) as a link.
 */
function escaped(text: string): string {
  return plain(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('|', '¦')
    .replaceAll('@', '＠')
    .replaceAll('](', '] (')
}

function deadline({ expiresAt }: Told): string {
  return expiresAt === null ? '' : ` · until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
