import { randomBytes } from 'node:crypto'

// Text that people and senders wrote, made fit to stand beside ours: it shows what was written and does nothing.

/** Controls, marks that turn the direction of reading, and the invisible alphabets that models read and people do not. */
const invisible =
  /[\p{Cc}\p{Variation_Selector}\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

/** One line; links are spelled so that nothing makes them live again. */
export function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(invisible, '')
    .replace(/([a-z][a-z0-9+.-]{0,20}):\/\//gi, '$1[:]//')
    .replace(/\b(www)\./gi, '$1[.]')
    .replace(/\.(?=[a-z]{2,24}\/)/gi, '[.]')
    .replace(/(\S)@(?=\S)/g, '$1[@]')
    .replace(/\b(mailto|javascript|data|tel|sms):/gi, '$1[:]')
    .trim()
}

/** A span of code in markdown: nothing inside it is a link, an image or a heading. */
export function code(text: string): string {
  return `\`${plain(text).replaceAll('`', 'ˋ').replaceAll('|', '¦') || ' '}\``
}

/**
 * Human text in one block between two lines that nobody could have known when it was written, marked as data. The word is made
 * afterwards and is not in the text, so the text cannot end the block.
 */
export function fenced(lines: string[], random = () => randomBytes(12).toString('hex')): string {
  const inside = lines.map(plain).join('\n')
  let word = random()
  while (inside.includes(word)) word = random()
  return `BEGIN DATA ${word}\n${inside}\nEND DATA ${word}`
}
