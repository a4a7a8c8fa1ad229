import { truncate } from '../../../../contract/truncate.ts'
import { invisible, sanitizeLine } from '../../../lib/sanitize-line.ts'

export type Block = Record<string, unknown>

/** Slack's limits: lengths in characters, and numbers of blocks and options. */
export const slackLimits = {
  messageBlocks: 50,
  text: 3_000,
  header: 150,
  contextText: 2_000,
  buttonText: 75,
  optionText: 75,
  options: 100,
  /** The number of radio buttons or checkboxes. */
  shownOptions: 10,
  confirmText: 300,
  modalTitle: 24,
  label: 2_000,
  placeholder: 150,
  inputText: 3_000,
} as const

/** Removes characters that nobody sees but that change what people read. */
export function cleanText(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => line.replaceAll('\t', '    ').replace(invisible, ''))
    .join('\n')
}

/**
 * Whether `cleanText` keeps what people see. Without the variation selector U+FE0F, an emoji may
 * only lose its color.
 */
export function isPlain(text: string): boolean {
  return text.replace(/[\n\r\t]|\ufe0f/g, '').search(invisible) === -1
}

/** Slack shows this text as it is: without mentions, links, formatting or emoji codes. */
export function plainText(text: string, maxLength: number = slackLimits.text) {
  return { type: 'plain_text', text: truncate(cleanText(text), maxLength) || ' ', emoji: false }
}

/** Expanded, because Slack would otherwise fold a long text above the buttons. */
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

/** The end of the last line or word that fits, and never a position inside a surrogate pair. */
function endOfPart(text: string): number {
  const part = text.slice(0, slackLimits.text)
  const at = Math.max(part.lastIndexOf('\n'), part.lastIndexOf(' ')) + 1
  if (at > 0) return at
  return part.isWellFormed() ? part.length : part.length - 1
}

/** The text of a notification, in which &, < and > have a meaning for Slack. */
export function notificationText(text: string): string {
  return truncate(sanitizeLine(text), 500)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

export function linkButton(url: string, text = 'Open in Handrail', actionId = 'open'): Block {
  return { type: 'button', action_id: actionId, text: plainText(text, slackLimits.buttonText), url }
}
