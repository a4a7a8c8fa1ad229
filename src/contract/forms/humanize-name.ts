/** `mergedChanges` becomes "Merged changes". */
export function humanizeName(name: string): string {
  // Names that are very long or not plain identifiers are shown unchanged.
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,60}$/.test(name)) return name
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
  const lower = words.replace(/\b[A-Z][a-z]/g, (start) => start.toLowerCase())
  return lower.charAt(0).toUpperCase() + lower.slice(1)
}
