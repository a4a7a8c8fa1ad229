/** Prefixes text that a spreadsheet would run as a formula with an apostrophe, also after spaces or in full width. */
export function escapeFormula(text: string): string {
  return /^[\s\0]*[=+\-@＝＋－＠|%\t\r\n]/.test(text) ? `'${text}` : text
}
