import type { Action } from '../../../../contract/action.ts'
import { type Context, priorities } from '../../../../contract/task-fields.ts'
import { whyExpired } from '../../../../contract/why-expired.ts'
import type { TaskRow } from '../../../storage/tasks/tasks.ts'
import { decidesAtDeadline } from '../../tasks/endings.ts'
import { snippetOf } from '../../tasks/inbox-row.ts'
import { formatUtc } from '../messages.ts'
import { fieldsOf, hasForm } from './form.ts'
import { type ActionReference, rejectAction } from './modal.ts'
import { contextAsText } from './plain-context.ts'
import {
  type Block,
  isPlain,
  linkButton,
  notificationText,
  plainText,
  section,
  sections,
  slackLimits,
} from './text.ts'

export type SlackMessage = { text: string; blocks: Block[] }

export type ShownTask = {
  task: TaskRow
  actions: Action[]
  context: Context | undefined
  url: string
  /** Because of the policy, or because the workspace requires two-factor authentication. */
  isLinkOnly: boolean
  /** The name of the person who answered. undefined: nobody has, or they have left the workspace. */
  answeredBy: string | undefined
}

// Slack refuses messages with too much text, without documenting how much.
const maxCharacters = 8_000
// An actions block has at most 25 elements, including "Reject" and the link.
const maxActions = 20
// The name, the facts and the buttons.
const frameBlocks = 3
const rejectLabel = 'Reject…'

/**
 * The task as it is now: open with buttons if everything fits, open with a link, ended, or without
 * content.
 */
export function taskMessage(shown: ShownTask, label: string): SlackMessage {
  const { task, url } = shown
  if (task.contentDeletedAt !== null) return clearedMessage()
  const text = notificationText(`${label}: ${task.name}`)
  if (task.status !== 'open') return { text, blocks: endedBlocks(shown) }
  // A revised task has no buttons: someone who has read the earlier revision could click a button
  // of the new one, which has just replaced it.
  const buttons = shown.isLinkOnly || task.revision > 1 ? undefined : answerButtons(shown)
  const body = buttons && completeBody(shown)
  if (buttons && body)
    return {
      text,
      blocks: [...head(shown), ...body, { type: 'actions', elements: [...buttons, linkButton(url)] }],
    }
  return {
    text,
    blocks: [
      ...head(shown),
      section(snippetOf(task.description)),
      contextBlock('Open it to see everything and to answer.'),
      { type: 'actions', elements: [linkButton(url)] },
    ],
  }
}

export function clearedMessage(text = 'The content of this task was deleted.'): SlackMessage {
  return { text, blocks: [section(text)] }
}

function head({ task, actions }: ShownTask): Block[] {
  const name =
    task.name.length <= slackLimits.header
      ? { type: 'header', text: plainText(task.name, slackLimits.header) }
      : section(task.name)
  return [name, contextBlock(factsOf(task, actions).join(' · '))]
}

function factsOf(task: TaskRow, actions: Action[]): string[] {
  const { review, onExpire, expiresAt } = task
  const priority = priorities[task.priority]!
  const defaultAction = decidesAtDeadline(task) && actions.find(({ id }) => id === onExpire!.actionId)
  const atDeadline = defaultAction ? `, then “${defaultAction.title}” is sent` : ''
  return [
    `${task.app} / ${task.type}`,
    ...(priority === 'normal' ? [] : [`${priority} priority`]),
    ...(expiresAt === null ? [] : [`until ${formatUtc(expiresAt)}${atDeadline}`]),
    ...(task.assignedTo === null ? [] : [`assigned to ${task.assignedTo}`]),
    ...(task.revision > 1 ? [`revision ${task.revision}`] : []),
    ...(review && review.needed > 1
      ? [`${review.needed} people must give the same answer, ${task.answerCount} answered`]
      : []),
    ...(task.openQuestionCount > 0 ? ['the agent has not replied yet'] : []),
  ]
}

/** Everything that the sender wrote. undefined: not all of it can be shown in Slack. */
function completeBody({ task, actions, context }: ShownTask): Block[] | undefined {
  const fields = contextAsText(context)
  // Updates, questions and replies are shown in Handrail only.
  if (!fields || task.questions !== null || task.updateMessage !== null) return undefined
  const explanations = actions.flatMap(({ title, description }) =>
    description ? [`${title}: ${description}`] : [],
  )
  const texts = [task.description, ...fields, ...explanations]
  const blocks = texts.flatMap(sections)
  const length = texts.reduce((sum, text) => sum + text.length, task.name.length)
  const fits = length <= maxCharacters && blocks.length <= slackLimits.messageBlocks - frameBlocks
  return fits && [task.name, ...texts].every(isPlain) ? blocks : undefined
}

/**
 * One button per action, and "Reject". undefined: there are too many actions, or a title does not
 * fit on a button or looks like that of another button.
 */
function answerButtons({ task, actions, context, url }: ShownTask): Block[] | undefined {
  // One character less than fits, for the "…" of actions with a form.
  const fits = ({ title }: Action) => title.length < slackLimits.buttonText && isPlain(title)
  if (actions.length > maxActions || !actions.every(fits)) return undefined
  const labels = [...actions.map(({ title }) => title), rejectLabel].map((text) =>
    text
      .replace(/…|\.\.\./g, '')
      .trim()
      .toLowerCase(),
  )
  if (new Set(labels).size < labels.length) return undefined
  const referenceTo = (actionId: string): ActionReference => ({
    taskId: task.id,
    revision: task.revision,
    actionId,
  })
  const buttons = actions.map((action, n) => {
    if (!hasForm(action)) return answerButton(action.title, `answer-${n}`, referenceTo(action.id))
    if (!fieldsOf(action, context)) return linkButton(url, `${action.title}…`, `open-${n}`)
    return button(`${action.title}…`, `form-${n}`, referenceTo(action.id))
  })
  return [...buttons, button(rejectLabel, 'reject', referenceTo(rejectAction.id))]
}

function button(text: string, actionId: string, reference: ActionReference): Block {
  return {
    type: 'button',
    action_id: actionId,
    text: plainText(text, slackLimits.buttonText),
    value: JSON.stringify(reference),
  }
}

/** A click alone sends nothing: Slack asks first. */
function answerButton(title: string, actionId: string, reference: ActionReference): Block {
  return {
    ...button(title, actionId, reference),
    confirm: {
      title: plainText('Send this answer?'),
      text: plainText(`Your answer is “${title}”. You can't undo this.`, slackLimits.confirmText),
      confirm: plainText('Send'),
      deny: plainText('Cancel'),
    },
  }
}

/**
 * Shows the name of the task and how it ended. The other texts of the task are shown in Handrail
 * only.
 */
function endedBlocks(shown: ShownTask): Block[] {
  const { task, url } = shown
  return [
    { type: 'header', text: plainText(task.name, slackLimits.header) },
    section(endLine(shown)),
    contextBlock(`${task.app} / ${task.type} · ${formatUtc(task.endedAt!)}`),
    { type: 'actions', elements: [linkButton(url)] },
  ]
}

/** Why a click on a message that showed an earlier state of the task answered nothing. */
export function whatChanged(shown: ShownTask): string {
  const { status, endedAt } = shown.task
  return status === 'open'
    ? 'The agent has revised the task. Open it to see what changed and to answer it.'
    : `This task ended on ${formatUtc(endedAt!)}. ${endLine(shown)}`
}

function endLine({ task, answeredBy }: ShownTask): string {
  switch (task.status) {
    case 'handled':
      return `${handledLine(task, answeredBy)}.`
    case 'cancelled':
      return 'It was cancelled.'
    default:
      return whyExpired({ needed: task.review?.needed, given: task.answerCount, revision: task.revision })
  }
}

function handledLine(
  { actionTitle, decidedBy, via, answers }: TaskRow,
  answeredBy: string | undefined,
): string {
  const answer = `Answered: ${actionTitle}`
  if (decidedBy === 'timeout') return `${answer}, at the deadline`
  if (decidedBy === 'rule') return `${answer}, by a rule`
  const others = (answers?.length ?? 1) - 1
  const together = others > 0 ? ` (${others + 1} answers)` : ''
  return `${answer}, by ${answeredBy ?? 'a former member'}${via === 'slack' ? ' in Slack' : ''}${together}`
}

function contextBlock(text: string): Block {
  return { type: 'context', elements: [plainText(text, slackLimits.contextText)] }
}
