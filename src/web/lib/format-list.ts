const listFormat = new Intl.ListFormat('en-GB')

/** "one, two and three" */
export function formatList(items: string[]): string {
  return listFormat.format(items)
}
