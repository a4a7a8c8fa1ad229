// Makes text from people and senders safe to quote in our own text: readable, but without links and
// hidden characters.

/**
 * Control characters, bidirectional marks, and invisible alphabets that models read and people do
 * not see. A single joiner between letters or emoji is part of the spelling; several can encode
 * text, and one in a URL disguises it.
 */
export const invisible =
  /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Variation_Selector}\u115f\u1160\u2065\u3164\uffa0\u{e0000}-\u{e0fff}]|[\u200c\u200d]{2,}|(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}\p{Extended_Pictographic}])/gu

/** One line, with links defanged so that no program turns them into live links. */
export function sanitizeLine(text: string): string {
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

// The characters that a browser reads as a dot, between what may be a name (with emoji) and two
// letters (also circled ones).
const dotInDomain =
  /(?<=[\p{L}\p{M}\p{N}\p{S}-])[.\u2024\u3002\ufe52\uff0e\uff61](?=[\p{L}\u24b6-\u24e9][\p{L}\p{M}\u24b6-\u24e9])/gu

/**
 * Also defangs bare domains, and file names such as report.md: mail programs turn both into links.
 */
export function sanitizeForMail(text: string): string {
  return sanitizeLine(text).replace(dotInDomain, '[.]')
}
