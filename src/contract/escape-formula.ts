/**
 * Puts an apostrophe before text that a spreadsheet could run as a formula, which may begin after
 * spaces or be full-width.
 */
export function escapeFormula(text: string): string {
  return /^[\s\0]*[=+\-@＝＋－＠|%\t\r\n]/.test(text) ? `'${text}` : text
}
