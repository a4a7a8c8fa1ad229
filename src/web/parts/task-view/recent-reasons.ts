// Recent rejection reasons in this browser, because people often reuse the same few. Stored per workspace
// and person, because they are private.
type Writer = { workspaceId: string; userId: string }
const keyOf = ({ workspaceId, userId }: Writer) => `handrail.reasons.${workspaceId}.${userId}`
const maxStored = 4
// Longer texts are usually specific to one task.
const maxLength = 60
const commonReasons = ['Not enough context', 'Wrong information', "Didn't need a person"]

function recentReasons(writer: Writer): string[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf(writer)) ?? '[]') as string[]
  } catch {
    return []
  }
}

/** Recent reasons, newest first, then common ones. */
export function suggestedReasons(writer: Writer): string[] {
  return [...new Set([...recentReasons(writer), ...commonReasons])].slice(0, maxStored + 2)
}

export function saveReason(writer: Writer, feedback: string): void {
  const reason = feedback.trim().replace(/\.$/, '')
  if (reason.length > maxLength || reason.includes('\n')) return
  const reasons = [reason, ...recentReasons(writer).filter((other) => other !== reason)].slice(0, maxStored)
  try {
    localStorage.setItem(keyOf(writer), JSON.stringify(reasons))
  } catch {}
}
