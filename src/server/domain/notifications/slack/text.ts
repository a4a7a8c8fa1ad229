import { invisible, sanitizeLine } from '../../../lib/sanitize-line.ts'

export type Block = Record<string, unknown>

/** Slack's limits, in characters. */
export const slackLimits = {
  messageBlocks: 50,
  text: 3_000,
  header: 150,
  buttonText: 75,
  optionText: 75,
  options: 100,
  /** Of radio buttons and checkboxes. */
  shownOptions: 10,
  confirmText: 300,
  modalTitle: 24,
  label: 2_000,
  inputText: 3_000,
} as const

/** Without characters that nobody sees but that change what people read. */
export function cleanText(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => line.replaceAll('\t', '    ').replace(invisible, ''))
    .join('\n')
}

/** Whether a text is shown as it was sent. The selector of coloured emoji may get lost. */
export function isPlain(text: string): boolean {
  return text.replace(/[\n\r\t]|\ufe0f/g, '').search(invisible) === -1
}

/** Never parsed by Slack: no mentions, no links, no formatting, no emoji codes. */
export function plainText(text: string, maxLength: number = slackLimits.text) {
  return { type: 'plain_text', text: truncate(cleanText(text), maxLength) || ' ', emoji: false }
}

export function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  return `${text
    .slice(0, maxLength - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`
}

/** Expanded: Slack would fold long texts above the buttons. */
export function section(text: string): Block {
  return { type: 'section', text: plainText(text), expand: true }
}

/** A long text as several sections, so that nothing is left out. */
export function sections(text: string): Block[] {
  const parts: string[] = []
  let rest = cleanText(text)
  while (rest.length > slackLimits.text) {
    const end = endOfPart(rest)
    parts.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return [...parts, rest].filter((part) => part.trim() !== '').map(section)
}

/** After the last line or word that fits, and never inside a surrogate pair. */
function endOfPart(text: string): number {
  const part = text.slice(0, slackLimits.text)
  const at = Math.max(part.lastIndexOf('\n'), part.lastIndexOf(' ')) + 1
  if (at > 0) return at
  return part.isWellFormed() ? part.length : part.length - 1
}

/** The text of a notification, in which Slack reads &, < and >. */
export function notificationText(text: string): string {
  return truncate(sanitizeLine(text), 500)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

export function linkButton(url: string, text = 'Open in Handrail', actionId = 'open'): Block {
  return { type: 'button', action_id: actionId, text: plainText(text, slackLimits.buttonText), url }
}
