// Reasons a person has rejected with in this browser: people who work through a pile reject for the same few. By workspace
// and person, since what one wrote is nobody else's business.
type Writer = { workspaceId: string; userId: string }
const keyOf = ({ workspaceId, userId }: Writer) => `handrail.reasons.${workspaceId}.${userId}`
const maxStored = 4
// What is longer is about one task, not a reason that comes again.
const maxLength = 60
const commonReasons = ['Not enough context', 'Wrong information', 'Should not ask a person']

function recentReasons(writer: Writer): string[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf(writer)) ?? '[]') as string[]
  } catch {
    return []
  }
}

/** Newest first, then those that everybody needs. */
export function suggestedReasons(writer: Writer): string[] {
  return [...new Set([...recentReasons(writer), ...commonReasons])].slice(0, maxStored + 2)
}

export function saveReason(writer: Writer, feedback: string): void {
  const reason = feedback.trim().replace(/\.$/, '')
  if (reason.length > maxLength || reason.includes('\n')) return
  const kept = [reason, ...recentReasons(writer).filter((other) => other !== reason)].slice(0, maxStored)
  try {
    localStorage.setItem(keyOf(writer), JSON.stringify(kept))
  } catch {}
}
