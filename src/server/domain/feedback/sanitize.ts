import { randomBytes } from 'node:crypto'
import { truncate } from '../../../contract/truncate.ts'
import { invisible, sanitizeLine } from '../../lib/sanitize-line.ts'

// Makes text that people and senders wrote safe to show within the texts of Handrail: readable, but
// without effect as Markdown, as a link or as an instruction.

export const maxQuoteLength = 240
const maxNameLength = 80

/** A markdown code span, in which nothing is a link, an image or a heading. */
export function codeSpan(text: string): string {
  return span(text, maxQuoteLength)
}

/** A code span for a name that a sender or a person wrote, such as that of an action. */
export function nameSpan(text: string): string {
  return span(text, maxNameLength)
}

/** A name that a sender or a person wrote, as a plain line. */
export function shortName(text: string): string {
  return short(text, maxNameLength)
}

function short(text: string, max: number): string {
  // Cut before sanitizing, because the input may be huge, and after it, because it may add
  // characters.
  return truncate(sanitizeLine(truncate(text, 2 * max)), max)
}

function span(text: string, max: number): string {
  return `\`${short(text, max).replaceAll('`', 'ˋ').replaceAll('|', '¦') || ' '}\``
}

export function hasInvisible(text: string): boolean {
  return text.replace(/[\n\t]/g, '').search(invisible) >= 0
}

/**
 * Lines by senders and people as a block marked as data, between two lines with a random word. The
 * word is generated afterwards and does not occur in the text, so the text cannot end the block.
 */
export function fenced(lines: string[], random = () => randomBytes(12).toString('hex')): string {
  const inside = lines.map(sanitizeLine).join('\n')
  let word = random()
  while (inside.includes(word)) word = random()
  return `BEGIN DATA ${word}\n${inside}\nEND DATA ${word}`
}
