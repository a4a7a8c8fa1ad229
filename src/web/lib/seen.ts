import { storedList } from './stored-list.ts'

// Tasks opened in this browser. They only decide how a list looks: names of unopened tasks are
// bold.
const stored = storedList<string>('seen', 2_000)
let ids: Set<string> | undefined

export function isSeen(taskId: string): boolean {
  ids ??= new Set(stored.load())
  return ids.has(taskId)
}

export function markSeen(taskId: string): void {
  ids ??= new Set(stored.load())
  if (ids.has(taskId)) return
  ids.add(taskId)
  stored.add(taskId)
}
