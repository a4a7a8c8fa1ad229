import { groupPrefix } from '../../../../contract/group-prefix.ts'
import type { Group, Policy } from '../../../../contract/review.ts'
import type { Member } from '../../../../contract/workspace.ts'
import { pluralize } from '../../../lib/count.ts'
import { formatList } from '../../../lib/format-list.ts'
import { toPercent } from '../../../lib/numbers.ts'

type PolicySettings = Omit<Policy, 'policyId'>
type AppliesTo = { app?: string | undefined; type?: string | undefined }
type NamedMember = Pick<Member, 'email' | 'name'>
type NamedGroup = Pick<Group, 'slug' | 'name'>

/** "Tasks of app bank and type wire-transfer" */
export function describeTasks({ app, type }: AppliesTo, firstWord: 'Tasks' | 'tasks' = 'Tasks'): string {
  const parts = [...(app ? [`app ${app}`] : []), ...(type ? [`type ${type}`] : [])]
  return parts.length === 0 ? firstWord : `${firstWord} of ${parts.join(' and ')}`
}

/** The settings of a policy, in sentences. */
export function describePolicy(policy: PolicySettings, members: NamedMember[], groups: NamedGroup[]): string {
  const { by, needed = 1, onDecline, requesterMayAnswer, doubleReviewShare = 0 } = policy
  const declining =
    onDecline === 'collect'
      ? '“Reject” and “Mark done” count like other answers'
      : 'one “Reject” or “Mark done” ends the task'
  const sentences = [describeReviewers(by, members, groups)]
  if (needed === 1) {
    sentences.push('One answer is enough.')
    if (onDecline) sentences.push(`If the sender asks for several answers, ${declining}.`)
    if (doubleReviewShare > 0)
      sentences.push(
        `${toPercent(doubleReviewShare).toLocaleString()}\u00a0% of the tasks are answered by two people independently.`,
      )
  } else {
    const unlessAsked = onDecline ? '' : ' unless the sender asks otherwise'
    sentences.push(`${needed} people must give the same answer; ${declining}${unlessAsked}.`)
  }
  if (needed > 1 || requesterMayAnswer === false)
    sentences.push('The people behind the task and people with an unverified address may not answer.')
  sentences.push(...describeTimes(policy, (who) => nameOf(who, members, groups)))
  if (policy.linkOnly) sentences.push('Tasks are not answered in Slack.')
  return sentences.join(' ')
}

function describeTimes(
  { by, assignTo, answerWithinMinutes, remindAfterMinutes, escalate = [] }: PolicySettings,
  name: (who: string) => string,
): string[] {
  const sentences: string[] = []
  if (assignTo) sentences.push(`Tasks are assigned to ${name(assignTo)}.`)
  if (answerWithinMinutes) sentences.push(`Tasks are late after ${describeMinutes(answerWithinMinutes)}.`)
  if (remindAfterMinutes) sentences.push(`A reminder follows after ${describeMinutes(remindAfterMinutes)}.`)
  for (const { afterMinutes, to, raisePriority } of escalate) {
    const after = `After ${describeMinutes(afterMinutes)} the task`
    // `to` is missing if the person has left the workspace.
    if (to === undefined)
      sentences.push(`${after} is not reassigned${raisePriority ? ', but its priority rises' : ''}.`)
    else
      sentences.push(
        `${after} goes to ${name(to)}${by ? ', who may then answer too' : ''}${raisePriority ? ', and its priority rises' : ''}.`,
      )
  }
  return sentences
}

/** "90 minutes", "2 hours", "3 days": the largest unit without a remainder. */
export function describeMinutes(minutes: number): string {
  if (minutes % 1_440 === 0) return pluralize(minutes / 1_440, 'day')
  return minutes % 60 === 0 ? pluralize(minutes / 60, 'hour') : pluralize(minutes, 'minute')
}

function nameOf(who: string, members: NamedMember[], groups: NamedGroup[]): string {
  return (
    groups.find(({ slug }) => who === `${groupPrefix}${slug}`)?.name ??
    members.find(({ email }) => who === email)?.name ??
    who
  )
}

function describeReviewers(by: string[] | undefined, members: NamedMember[], groups: NamedGroup[]): string {
  if (by === undefined) return 'Every member may answer.'
  if (by.length === 0) return 'Nobody may answer.'
  return `Only ${formatList(by.map((who) => nameOf(who, members, groups)))} may answer.`
}
