import { groupPrefix } from '../../contract/group-prefix.ts'
import { reservedActions } from '../../contract/reserved-actions.ts'
import type { Review } from '../../contract/review.ts'
import type { TaskRecord } from '../../contract/task.ts'
import type { Handled } from '../../contract/task-answer.ts'
import { truncate } from '../../contract/truncate.ts'
import { whyExpired } from '../../contract/why-expired.ts'
import { displayName } from '../lib/display-name.ts'
import { escapeBidi } from '../lib/escape-bidi.ts'
import { formatTime, formatWhen } from '../lib/time.ts'

/**
 * At first only the fields that the agent has sent, then also the id of the task, finally its
 * whole record.
 */
export type CardTask = Partial<TaskRecord>

export type Tone = 'plain' | 'info' | 'warn' | 'neg'
/** `agent` marks an update, `time` a deadline or a cancellation, `person` everything else. */
export type Line = { mark: 'agent' | 'person' | 'time'; text: string; detail?: string }
export type Description = {
  state: string
  tone: Tone
  name: string
  description: string
  lines: Line[]
}

const maxName = 200
const maxText = 500

/** The task in words, with texts that others wrote: show them with textContent only. */
export function describeTask(task: CardTask, now: number): Description {
  const { contentDeletedAt, name = '', description = '' } = task
  return {
    ...stateOf(task),
    name: contentDeletedAt ? 'Content deleted' : clamp(name, maxName),
    description: contentDeletedAt
      ? `The content was deleted ${formatWhen(contentDeletedAt, now)}.`
      : clamp(description, maxText),
    lines: [...updateLine(task, now), ...stateLines(task, now), ...deadlineLine(task, now)],
  }
}

function stateOf({ taskId, status, waitingFor, handled }: CardTask): { state: string; tone: Tone } {
  if (!taskId) return { state: 'Sending', tone: 'plain' }
  if (status === 'cancelled') return { state: 'Cancelled', tone: 'plain' }
  if (status === 'expired') return { state: 'Expired', tone: 'warn' }
  if (status === 'open' && waitingFor === 'agent') return { state: 'Waiting for the agent', tone: 'warn' }
  if (status === 'open') return { state: 'Waiting for a person', tone: 'info' }
  if (!handled) return { state: 'Sent', tone: 'info' }
  if (handled.actionId === reservedActions.rejectRequest.id) return { state: 'Rejected', tone: 'neg' }
  if (handled.actionId === reservedActions.markDone.id) return { state: 'Marked done', tone: 'plain' }
  if (handled.decidedBy === 'rule') return { state: 'Answered by a rule', tone: 'plain' }
  // Not green: the card cannot know whether the answer is good news, for example "Decline".
  return { state: 'Answered', tone: 'plain' }
}

function updateLine({ latestUpdate }: CardTask, now: number): Line[] {
  // The message is empty once the content of the task has been deleted.
  if (!latestUpdate?.message) return []
  const { message, at } = latestUpdate
  return [
    { mark: 'agent', text: clamp(message, maxText), detail: `Update from the agent, ${formatTime(at, now)}` },
  ]
}

function stateLines(task: CardTask, now: number): Line[] {
  const { status, handled, cancelled, review, revision } = task
  if (handled) return [{ mark: 'person', ...answerOf(handled, now) }]
  if (cancelled) {
    const reason = cancelled.reason ? `: ${clamp(cancelled.reason, maxText)}` : '.'
    return [{ mark: 'time', text: `It was cancelled${reason}`, detail: formatTime(cancelled.at, now) }]
  }
  if (status === 'expired') return [{ mark: 'person', text: whyExpired({ ...review, revision }) }]
  return status === 'open' ? [...questionLines(task, now), { mark: 'person', ...whoMayAnswer(task) }] : []
}

function answerOf(handled: Handled, now: number): { text: string; detail: string } {
  const { actionId, actionTitle, handledAt } = handled
  const detail = `${whoAnswered(handled)}, ${formatTime(handledAt, now)}`
  if (actionId === reservedActions.rejectRequest.id) return { text: 'The task was rejected.', detail }
  if (actionId === reservedActions.markDone.id) return { text: 'The task was marked done.', detail }
  // Deleting the content replaces the title with the id of the action.
  return { text: `“${clamp(actionTitle, maxName)}”`, detail }
}

function whoAnswered({ handledBy, handledByVerified, decidedBy, answers = [] }: Handled): string {
  if (decidedBy === 'timeout') return 'Automatically, at the deadline'
  if (decidedBy === 'rule') return 'By a standing rule'
  if (answers.length > 1) return `${answers.length} people answered`
  return `${nameOf(handledBy)}${handledByVerified === false ? ' (not verified)' : ''}`
}

function questionLines({ questions = [] }: CardTask, now: number): Line[] {
  return questions
    .filter(({ answer }) => !answer)
    .slice(-1)
    .map(({ kind, text, askedBy, askedAt }) => ({
      mark: 'person',
      text: `“${clamp(text, maxText)}”`,
      detail: `${nameOf(askedBy)} ${kind === 'changes' ? 'requested changes' : 'asked the agent'}, ${formatTime(askedAt, now)}`,
    }))
}

function whoMayAnswer({ assignedTo, review }: CardTask): Omit<Line, 'mark'> {
  const assigned = assignedTo && `Assigned to ${nameOf(assignedTo)}`
  const detail = `Can be answered by ${describeReviewers(review)}`
  if (review && review.needed > 1) {
    const text = `${review.needed} people must give the same answer. Answers so far: ${review.given}`
    return { text, detail: assigned || detail }
  }
  return assigned ? { text: assigned } : { text: 'Not assigned', detail }
}

function describeReviewers({ by, within, notBy }: Partial<Review> = {}): string {
  if (by?.length === 0 || within?.length === 0)
    return 'admins only: the people or groups that were named are no longer in the workspace'
  const named = by ?? within
  const among = by && within ? ` if they are also among ${listOf(within)}` : ''
  return `${named ? listOf(named) : 'any member'}${among}${notBy ? ` except ${listOf(notBy)}` : ''}`
}

function listOf(membersAndGroups: string[]): string {
  const [first = '', second, ...more] = membersAndGroups.map(nameOf)
  if (second === undefined) return first
  return more.length > 0 ? `${first} and ${more.length + 1} others` : `${first} and ${second}`
}

function deadlineLine({ status, expiresAt }: CardTask, now: number): Line[] {
  return status === 'open' && expiresAt
    ? [{ mark: 'time', text: `Deadline: ${formatTime(expiresAt, now)}` }]
    : []
}

function nameOf(memberOrGroup: string): string {
  return memberOrGroup.startsWith(groupPrefix)
    ? `the group ${clamp(memberOrGroup.slice(groupPrefix.length), maxName)}`
    : clamp(displayName(memberOrGroup), maxName)
}

/**
 * Cuts the text, and isolates it, so that a name in right-to-left script does not reorder the
 * sentence around it.
 */
function clamp(text: string, max: number): string {
  if (text === '') return ''
  return `\u2068${escapeBidi(truncate(text, max))}\u2069`
}
