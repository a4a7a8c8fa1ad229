/** The first `maxLength` UTF-16 units and "…", without splitting a surrogate pair. */
export function truncate(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…` : text
}
