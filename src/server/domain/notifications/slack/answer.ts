import { RejectTask } from '../../../../contract/task-answer.ts'
import type { Role } from '../../../../contract/workspace.ts'
import type { Transaction } from '../../../storage/engine/database.ts'
import { findLinkedMember } from '../../../storage/notifications/slack.ts'
import { findMember } from '../../../storage/people/members.ts'
import { listAnswers } from '../../../storage/review/answers.ts'
import { listMembersWithGroups } from '../../../storage/review/members-with-groups.ts'
import { findTask, findTaskContent, type TaskRow } from '../../../storage/tasks/tasks.ts'
import type { PersonActor } from '../../actor.ts'
import { DomainProblem } from '../../problems.ts'
import { currentReview } from '../../review/current-review.ts'
import { explainRefusal } from '../../review/explain-refusal.ts'
import { refusalOf } from '../../review/judge.ts'
import type { Service } from '../../service.ts'
import { handleTask, rejectTask } from '../../tasks/handle-task.ts'
import { taskUrl } from '../../tasks/present-task.ts'
import { taskNotOpen, taskRevised } from '../../tasks/task-not-open.ts'
import type { SlackConnection } from './connection.ts'
import { errorsByInput, fieldsOf, hasForm, inputId, readAnswer } from './form.ts'
import { notificationSettingsUrl } from './link.ts'
import { isLinkOnly, loadShownTask } from './load-task.ts'
import { type ActionReference, answerModal, feedbackBlockId, rejectAction, rejectModal } from './modal.ts'
import {
  type Click,
  type Interaction,
  readActionReference,
  readModalReference,
  type Submission,
} from './payload.ts'
import { requestRewriting } from './rewrite-outdated.ts'
import { whatChanged } from './task-message.ts'
import type { Block } from './text.ts'

/** The workspace that a request from Slack is for. */
export type SlackOrigin = { workspaceId: string; connection: SlackConnection }

/** What a click, a submitted form or a command shows, only to the person who sent it. */
export type InteractionResult =
  /** Nothing more: the message changes, or Slack has opened a form or a link. */
  | { kind: 'done' }
  | { kind: 'explained'; text: string; url?: string }
  /** One message per invalid input, by the id of its block in the modal. */
  | { kind: 'errors'; errors: Record<string, string> }

const nothingRecorded = 'Nothing was recorded.'
const noSuchTask = 'This task no longer exists.'

/** A click on a button sends the answer, or opens the form of the answer. */
export async function handleClick(
  service: Service,
  origin: SlackOrigin,
  click: Click,
): Promise<InteractionResult> {
  // Slack also reports clicks on links, which its client opens itself.
  const reference = readActionReference(click.actions[0]!.value)
  if (!reference) return { kind: 'done' }
  return await withExplanation(service, origin, reference, async () => {
    const { actor, task } = await identify(service, origin, click, reference)
    if (reference.actionId === rejectAction.id)
      return await openModal(service, origin, click, reference, rejectModal(task, click.channel.id))
    const { actions, context } = await readContent(service, origin, task)
    const action = actions.find(({ id }) => id === reference.actionId)
    // An action that the task does not have is refused by the use case.
    if (!action || !hasForm(action)) return await answer(service, actor, reference, {})
    const modal = answerModal(task, action, context, click.channel.id)
    if (modal) return await openModal(service, origin, click, reference, modal)
    const text = 'This form cannot be shown in Slack. Open the task to answer it.'
    return explanation(service, origin, reference, text)
  })
}

async function openModal(
  service: Service,
  origin: SlackOrigin,
  { trigger_id }: Click,
  reference: ActionReference,
  view: Block,
): Promise<InteractionResult> {
  const opened = await service.slack.call(origin.connection.token, 'views.open', { trigger_id, view })
  if (opened.ok) return { kind: 'done' }
  const text = `Slack did not open the form. ${nothingRecorded} Click again, or open the task to answer it.`
  return explanation(service, origin, reference, text)
}

export async function handleSubmission(
  service: Service,
  origin: SlackOrigin,
  submission: Submission,
): Promise<InteractionResult> {
  const { private_metadata, state } = submission.view
  const reference = readModalReference(private_metadata)
  if (!reference)
    return { kind: 'explained', text: `This form doesn't belong to Handrail. ${nothingRecorded}` }
  const submitted = (blockId: string) => state.values[blockId]?.[inputId] ?? {}
  return await withExplanation(service, origin, reference, async () => {
    const { actor, task } = await identify(service, origin, submission, reference)
    if (reference.actionId === rejectAction.id) {
      const feedback = RejectTask.shape.feedback.safeParse(submitted(feedbackBlockId).value ?? '')
      if (!feedback.success)
        return { kind: 'errors', errors: { [feedbackBlockId]: feedback.error.issues[0]!.message } }
      return await answer(service, actor, reference, { feedback: feedback.data })
    }
    const content = await readContent(service, origin, task)
    const action = content.actions.find(({ id }) => id === reference.actionId)
    const fields = (action && fieldsOf(action, content.context)) ?? []
    try {
      return await answer(service, actor, reference, readAnswer(fields, submitted))
    } catch (error) {
      const errors = error instanceof DomainProblem && error.errors && errorsByInput(fields, error.errors)
      if (!errors) throw error
      return { kind: 'errors', errors }
    }
  })
}

/** Answers with the use case that the web app uses too, and so with the same guarded write. */
async function answer(
  service: Service,
  actor: PersonActor,
  { taskId, revision, actionId }: ActionReference,
  data: Record<string, unknown>,
): Promise<InteractionResult> {
  const task =
    actionId === rejectAction.id
      ? await rejectTask(service, actor, taskId, { feedback: String(data.feedback), revision })
      : await handleTask(service, actor, taskId, { actionId, data, revision })
  requestRewriting(service, actor.workspaceId)
  if (task.status !== 'open') return { kind: 'done' }
  return {
    kind: 'explained',
    text: 'Your answer is recorded. The task needs more answers before it is decided.',
  }
}

/**
 * Finds the member who clicked, and throws if they may not answer the task here. The write of the
 * answer compares the revision again.
 */
async function identify(
  service: Service,
  { workspaceId, connection }: SlackOrigin,
  { team, user }: Interaction,
  { taskId, revision }: ActionReference,
): Promise<{ actor: PersonActor; task: TaskRow }> {
  if (team.id !== connection.teamId || (user.team_id ?? team.id) !== connection.teamId)
    throw new SlackRefusal('Only members of the connected Slack workspace can answer tasks here.')
  return await service.database.inWorkspace(workspaceId, async (tx) => {
    const actor = await findActor(tx, user.id)
    if (!actor)
      throw new SlackRefusal(
        'Your Slack user is not linked to a member of this Handrail workspace. Open Settings, Notifications in Handrail, choose Link my Slack user, and send the command shown there.',
        notificationSettingsUrl(service, { workspaceId }),
      )
    const task = await findTask(tx, taskId)
    if (!task) throw new SlackRefusal(noSuchTask)
    if (task.status !== 'open') throw taskNotOpen(task)
    if (task.revision !== revision) throw taskRevised(task)
    if (await isLinkOnly(tx, task)) throw new SlackRefusal('This task cannot be answered in Slack.')
    if (task.review) await requireReviewer(tx, task, actor)
    return { actor, task }
  })
}

/**
 * Checked before a form opens, so that nobody fills it in for nothing, and again when the answer is
 * written.
 */
async function requireReviewer(tx: Transaction, task: TaskRow, actor: PersonActor): Promise<void> {
  const review = await currentReview(tx, task)
  const people = await listMembersWithGroups(tx)
  const refusal = refusalOf(review, people, await listAnswers(tx, task), actor)
  if (refusal) throw explainRefusal(refusal, task)
}

async function findActor(tx: Transaction, slackUserId: string): Promise<PersonActor | undefined> {
  const userId = await findLinkedMember(tx, slackUserId)
  const member = userId === undefined ? undefined : await findMember(tx, userId)
  if (!member) return undefined
  const { email, emailVerified, name } = member
  return {
    kind: 'person',
    workspaceId: tx.workspaceId,
    id: member.userId,
    email,
    emailVerified,
    name,
    role: member.role as Role,
    from: 'slack',
    via: 'slack',
  }
}

async function readContent({ database }: Service, { workspaceId }: SlackOrigin, { id }: TaskRow) {
  const content = await database.inWorkspace(workspaceId, (tx) => findTaskContent(tx, id))
  return { actions: content?.actions ?? [], context: content?.context ?? undefined }
}

/** Thrown if the task cannot be answered in Slack. `url`: where to continue, if not at the task. */
class SlackRefusal extends Error {
  readonly url: string | undefined
  constructor(message: string, url?: string) {
    super(message)
    this.url = url
  }
}

/**
 * Runs `work` and turns a refusal that it throws into an explanation with a link. If the refusal
 * shows that the message is outdated, requests its rewriting.
 */
async function withExplanation(
  service: Service,
  origin: SlackOrigin,
  reference: ActionReference,
  work: () => Promise<InteractionResult>,
): Promise<InteractionResult> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SlackRefusal)
      return explanation(service, origin, reference, `${error.message} ${nothingRecorded}`, error.url)
    if (!(error instanceof DomainProblem)) throw error
    if (error.code !== 'task_not_open' && error.code !== 'task_revised')
      return explanation(service, origin, reference, error.message)
    requestRewriting(service, origin.workspaceId)
    const shown = await service.database.inWorkspace(origin.workspaceId, (tx) =>
      loadShownTask(service, tx, reference.taskId),
    )
    return explanation(
      service,
      origin,
      reference,
      `${shown ? whatChanged(shown) : noSuchTask} ${nothingRecorded}`,
    )
  }
}

function explanation(
  { publicUrl }: Service,
  { workspaceId }: SlackOrigin,
  { taskId }: ActionReference,
  text: string,
  url = taskUrl(publicUrl, workspaceId, taskId),
): InteractionResult {
  return { kind: 'explained', text, url }
}
