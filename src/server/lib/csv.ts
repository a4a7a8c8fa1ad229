/** A line as RFC 4180 has it, every cell between quotes. */
export function csvLine(cells: string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

/** What a spreadsheet would take for a formula, also behind blanks and in full width, is kept text by an apostrophe. */
function cell(text: string): string {
  const safe = /^[\s\0]*[=+\-@＝＋－＠|%\t\r]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}
