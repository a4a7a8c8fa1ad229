type EndedTask = {
  status: string
  decidedBy?: string | null
  handledBy?: string | null
  actionTitle?: string | null
}

/** How and when a task ended and, if it was handled, by whom and with which action: the detail of `task_not_open`. */
export function describeEnd(task: EndedTask, at: string | undefined): string {
  const answer = task.status === 'handled' ? ` by ${answererOf(task)} with "${task.actionTitle}"` : ''
  const ended = task.status === 'expired' ? 'expired' : `was ${task.status}${answer}`
  return `The task ${ended} at ${at}. Nothing was changed.`
}

function answererOf({ decidedBy, handledBy }: EndedTask) {
  if (decidedBy === 'timeout') return 'its deadline'
  return decidedBy === 'rule' ? 'a standing rule' : handledBy
}
