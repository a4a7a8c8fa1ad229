import { randomBytes } from 'node:crypto'

// Text that people and senders wrote, made fit to stand beside ours: it shows what was written and does nothing.

/**
 * Controls, marks that turn the direction of reading, and the invisible alphabets that models read and people do not. One joiner
 * between letters or pictures is spelling; several are an alphabet, too, and one in an address hides it.
 */
const invisible =
  /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Variation_Selector}\u115f\u1160\u2065\u3164\uffa0\u{e0000}-\u{e0fff}]|[\u200c\u200d]{2,}|(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}\p{Extended_Pictographic}])/gu
/** A quotation is no longer than this; what a sender calls things shorter. */
const longest = 240
const longestName = 80

/** One line; links are spelled so that nothing makes them live again. */
export function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(invisible, '')
    .replace(/([a-z][a-z0-9+.-]{0,20}):\/\//gi, '$1[:]//')
    .replace(/\b(www)\./gi, '$1[.]')
    .replace(/\.(?=\p{L}[\p{L}\p{N}-]{1,23}(?::\d{1,5})?\/)/gu, '[.]')
    .replace(/(\S)@(?=\S)/g, '$1[@]')
    .replace(/\b(mailto|javascript|data|tel|sms):/gi, '$1[:]')
    .trim()
}

/** A span of code in markdown: nothing inside it is a link, an image or a heading. */
export function code(text: string): string {
  return span(text, longest)
}

/** What a sender calls an action, a choice, a candidate or a version. */
export function name(text: string): string {
  return span(text, longestName)
}

/** The same as one plain line. */
export function shortName(text: string): string {
  return short(text, longestName)
}

function short(text: string, most: number): string {
  // Cut before, since there is no end to what is sent, and after, since what is made harmless grows.
  return cut(plain(cut(text, 2 * most)), most)
}

function span(text: string, most: number): string {
  return `\`${short(text, most).replaceAll('`', 'ˋ').replaceAll('|', '¦') || ' '}\``
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}

export function hasInvisible(text: string): boolean {
  return text.replace(/[\n\t]/g, '').search(invisible) >= 0
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
