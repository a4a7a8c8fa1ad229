// Tasks opened in this browser. Only visual: names of unopened tasks are bold.
const key = 'handrail.seen'
const maxIds = 2_000
let ids: Set<string> | undefined

function load(): Set<string> {
  try {
    return new Set(JSON.parse(localStorage.getItem(key) ?? '[]') as string[])
  } catch {
    return new Set()
  }
}

export function isSeen(taskId: string): boolean {
  ids ??= load()
  return ids.has(taskId)
}

export function markSeen(taskId: string): void {
  ids ??= load()
  if (ids.has(taskId)) return
  ids.add(taskId)
  try {
    localStorage.setItem(key, JSON.stringify([...ids].slice(-maxIds)))
  } catch {}
}
