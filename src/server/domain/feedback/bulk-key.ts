/** The same for bulk answers that are one decision: by one person, with one action, to tasks of one version. */
export function bulkKey({
  bulkId,
  version,
  actionId,
  handledBy,
}: {
  bulkId: string | null
  version: string | null
  actionId: string
  handledBy: string | null
}): string {
  // With the person, because clients choose the ids: two people may use the same one.
  return JSON.stringify([bulkId, version, actionId, handledBy])
}
