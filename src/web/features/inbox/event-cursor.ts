/**
 * Whether a position in the event log is after another one. Positions are `epoch.transaction.id`,
 * see event-cursor.ts of the service.
 */
export function isAfter(cursor: string, other: string): boolean {
  const parts = cursor.split('.').map(BigInt)
  const otherParts = other.split('.').map(BigInt)
  const n = parts.findIndex((part, index) => part !== otherParts[index])
  return n >= 0 && (otherParts[n] === undefined || parts[n]! > otherParts[n])
}
