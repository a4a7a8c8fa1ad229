import { answeredByDeadline } from '../../../contract/answered-by.ts'
import { displayName } from '../../lib/display-name.ts'
import { type Answer, type Failure, hasTaskEnded } from '../../lib/send-answer.ts'
import { formatWhen } from '../../lib/time.ts'
import type { NameOf } from '../../lib/use-members.ts'

/** Why an answer failed: the task has ended or was revised, or the service refused the answer. */
export function explainNotSent(failure: Failure, myEmail: string, nameOf: NameOf): string {
  const { problem, chosen, ownAnswer } = failure
  if (ownAnswer !== undefined)
    return `Not sent: you answered it elsewhere with “${ownAnswer}”. That answer counts.`
  if (problem.code === 'task_revised')
    return 'Not sent: the agent changed the task. Look at what changed first.'
  if (!hasTaskEnded(failure)) return `Not sent: ${problem.detail}`
  const { taskStatus, handledBy, handledAt } = problem
  if (taskStatus === 'cancelled') return 'Not sent: the task was cancelled.'
  if (taskStatus !== 'handled' || !handledBy || handledBy === answeredByDeadline)
    return 'Not sent: the deadline has passed.'
  const who =
    handledBy === myEmail ? 'you answered it elsewhere' : `${displayName(handledBy, nameOf)} answered first`
  const action = chosen ? ` with “${chosen}”` : ''
  return `Not sent: ${who}${action}${handledAt ? `, ${formatWhen(handledAt, Date.now())}` : ''}.`
}

/** The answer as text, for copying. */
export function answerText({ title, data }: Answer): string {
  if (!data || Object.keys(data).length === 0) return title
  const [only, another] = Object.values(data)
  return another === undefined && typeof only === 'string' ? only : JSON.stringify(data, null, 2)
}
