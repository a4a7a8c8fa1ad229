import { storedList } from './stored-list.ts'

// The last reply of the agent that was marked as read in this browser, per task. It decides only
// what the page highlights.
const stored = storedList<[taskId: string, updateId: string]>('read-replies', 500)
let lastRead: Map<string, string> | undefined

export function lastReadReply(taskId: string): string | undefined {
  lastRead ??= new Map(stored.load())
  return lastRead.get(taskId)
}

export function markReplyRead(taskId: string, updateId: string): void {
  lastRead ??= new Map(stored.load())
  lastRead.set(taskId, updateId)
  stored.add([taskId, updateId], ([id]) => id === taskId)
}
