// The last reply of the agent that was marked as read, per task, in this browser. Only visual.
const key = 'handrail.read-replies'
const maxTasks = 500
let ids: Map<string, string> | undefined

function load(): Map<string, string> {
  try {
    return new Map(JSON.parse(localStorage.getItem(key) ?? '[]') as [string, string][])
  } catch {
    return new Map()
  }
}

export function lastReadReply(taskId: string): string | undefined {
  ids ??= load()
  return ids.get(taskId)
}

export function markReplyRead(taskId: string, updateId: string): void {
  ids ??= load()
  ids.delete(taskId)
  ids.set(taskId, updateId)
  try {
    localStorage.setItem(key, JSON.stringify([...ids].slice(-maxTasks)))
  } catch {}
}
