/** A line in the format of RFC 4180, with every cell quoted. */
export function csvLine(cells: string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

/** Prefixes possible spreadsheet formulas with an apostrophe, including those after spaces or in full width. */
function cell(text: string): string {
  const safe = /^[\s\0]*[=+\-@＝＋－＠|%\t\r]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}
