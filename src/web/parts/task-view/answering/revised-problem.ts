import { HandrailProblem } from '../../../../client/problem.ts'
import { topDialog } from '../../../lib/presses.ts'

export function scrollToChanges(): void {
  document.getElementById('changes')?.scrollIntoView({ block: 'nearest' })
}

/**
 * Tells a person that the agent has revised the task since they began to answer. It also replaces the
 * problem with which the service refuses such an answer, because that text is for programs.
 */
export function revisedProblem(): HandrailProblem {
  const look = topDialog() ? 'Close this, look at what changed' : 'Look at what changed'
  return new HandrailProblem({
    type: 'about:blank',
    title: 'Task revised',
    status: 409,
    code: 'task_revised',
    detail: `The agent changed the task in the meantime. ${look}, then send again. What you entered is kept.`,
    requestId: '',
  })
}
