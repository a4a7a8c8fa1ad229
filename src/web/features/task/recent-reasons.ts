// Reasons this browser has rejected with: people who work through a pile reject for the same few.
const key = 'handrail.reasons'
const mostKept = 4
// What is longer is about one task, not a reason that comes again.
const longest = 60
const common = ['Not enough context', 'Wrong information', 'Should not ask a person']

function recentReasons(): string[] {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '[]') as string[]
  } catch {
    return []
  }
}

/** Newest first, then those that everybody needs. */
export function suggestedReasons(): string[] {
  return [...new Set([...recentReasons(), ...common])].slice(0, mostKept + 2)
}

export function noteReason(feedback: string): void {
  const reason = feedback.trim().replace(/\.$/, '')
  if (reason.length > longest || reason.includes('\n')) return
  const kept = [reason, ...recentReasons().filter((other) => other !== reason)].slice(0, mostKept)
  try {
    localStorage.setItem(key, JSON.stringify(kept))
  } catch {}
}
