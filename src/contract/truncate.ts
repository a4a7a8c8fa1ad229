/**
 * The first `maxLength` UTF-16 units, without the first half of a split surrogate pair, which the
 * API would refuse.
 */
export function startOf(text: string, maxLength: number): string {
  const start = text.slice(0, maxLength)
  return start.length < text.length ? start.replace(/[\ud800-\udbff]$/, '') : text
}

/** At most `maxLength` UTF-16 units, ending with "…" if something was left out. */
export function truncate(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${startOf(text, maxLength - 1).trimEnd()}…`
}
