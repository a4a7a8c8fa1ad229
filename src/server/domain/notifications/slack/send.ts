import type { SlackMethod, SlackResponse } from '../../../lib/slack-api.ts'
import { type DueDelivery, insertDeliveries } from '../../../storage/delivery/deliveries.ts'
import type { Transaction } from '../../../storage/engine/database.ts'
import { findLinkedMember, listSlackChannels, setSlackProblem } from '../../../storage/notifications/slack.ts'
import { findSlackMessage, saveSlackMessage } from '../../../storage/notifications/slack-messages.ts'
import { findTask } from '../../../storage/tasks/tasks.ts'
import { type AttemptResult, notNeeded, permanentFailure } from '../../delivery/transport.ts'
import type { Service } from '../../service.ts'
import { taskUrl } from '../../tasks/present-task.ts'
import { findConnection } from './connection.ts'
import { deliveryTo, type SlackDelivery } from './delivery.ts'
import { adviceFor, attemptOf } from './failed-calls.ts'
import { loadShownTask } from './load-task.ts'
import { clearedMessage, type SlackMessage, taskMessage } from './task-message.ts'
import { linkButton, notificationText, section } from './text.ts'

type Sending = {
  service: Service
  workspaceId: string
  taskId: string
  /** The id of a channel or of a Slack user. */
  target: string
  call(method: SlackMethod, input: object): Promise<SlackResponse>
}
type SendResult = Omit<AttemptResult, 'durationMilliseconds'>

const maxRounds = 3
const notReceiving =
  'The person has unlinked their Slack user or is no longer a member, or the channel was removed.'
const testText = 'Handrail can reach this channel.'
// The text of a message is shown in notifications only. Slack neither looks for links and names in
// it nor fetches links.
const literal = { parse: 'none', link_names: false }
const withoutPreviews = { unfurl_links: false, unfurl_media: false }

/** One attempt to send a message to Slack, or to rewrite one. */
export async function sendToSlack(
  service: Service,
  { workspaceId, taskId, target, body }: DueDelivery,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const startedAt = performance.now()
  const connection = await findConnection(service, workspaceId)
  const sending: Sending = {
    service,
    workspaceId,
    taskId: taskId ?? '',
    target: target!,
    call: (method, input) => service.slack.call(connection!.token, method, input, signal),
  }
  const result = connection
    ? await send(sending, JSON.parse(body) as SlackDelivery)
    : permanentFailure('The workspace is no longer connected to Slack.')
  return { ...result, durationMilliseconds: Math.round(performance.now() - startedAt) }
}

async function send(sending: Sending, delivery: SlackDelivery): Promise<SendResult> {
  switch (delivery.do) {
    case 'post':
      return await postTask(sending, delivery.label)
    case 'reply':
      return await reply(sending, delivery.label)
    case 'update':
      return await rewrite(sending)
    case 'clear':
      return await recordResult(sending, await update(sending, delivery, clearedMessage()))
    case 'shorten':
      return await recordResult(
        sending,
        await update(sending, delivery, labelMessage(sending, delivery.label)),
      )
    case 'list':
      return await postCount(sending, delivery)
    case 'test':
      return await recordResult(sending, await post(sending, inboxMessage(sending, testText)))
  }
}

async function postTask(sending: Sending, label: string): Promise<SendResult> {
  const { service, workspaceId, taskId, target } = sending
  const found = await service.database.inWorkspace(workspaceId, async (tx) => ({
    mayReceive: await mayReceive(tx, target),
    message: await findSlackMessage(tx, taskId, target),
    shown: await loadShownTask(service, tx, taskId),
  }))
  if (!found.mayReceive) return permanentFailure(notReceiving)
  if (found.message) return notNeeded('the task is already shown there.')
  if (found.shown?.task.status !== 'open') return notNeeded('the task has ended or was deleted.')
  const { state, ...shown } = found.shown
  const response = await post(sending, taskMessage(shown, label))
  if (!response.ok) return await recordResult(sending, response)
  const posted = { channelId: String(response.body.channel), messageTs: String(response.body.ts) }
  await service.database.inWorkspace(workspaceId, async (tx) => {
    if (await saveSlackMessage(tx, { taskId, target, ...posted, shown: state })) return
    // Two deliveries about the task were sent at the same time. Only one message is rewritten when
    // the task ends, so only that one may have buttons.
    await insertDeliveries(tx, [deliveryTo(taskId, target, { do: 'shorten', ...posted, label })])
  })
  return await recordResult(sending, response)
}

function post(
  { call, target }: Pick<Sending, 'call' | 'target'>,
  message: SlackMessage,
  threadTs?: string,
): Promise<SlackResponse> {
  return call('chat.postMessage', {
    channel: target,
    ...message,
    ...literal,
    ...withoutPreviews,
    ...(threadTs !== undefined && { thread_ts: threadTs }),
  })
}

async function reply(sending: Sending, label: string): Promise<SendResult> {
  const { service, workspaceId, taskId, target } = sending
  const found = await service.database.inWorkspace(workspaceId, async (tx) => ({
    mayReceive: await mayReceive(tx, target),
    message: await findSlackMessage(tx, taskId, target),
    task: await findTask(tx, taskId),
  }))
  if (!found.mayReceive) return permanentFailure(notReceiving)
  if (!found.task || found.task.contentDeletedAt !== null)
    return notNeeded('the content of the task was deleted.')
  if (!found.message && found.task.status === 'open') return await postTask(sending, label)
  // The thread belongs to the conversation in which the message is, which may have another id than
  // the target.
  const conversation = { ...sending, target: found.message?.channelId ?? target }
  const message = labelMessage(sending, label)
  return await recordResult(sending, await post(conversation, message, found.message?.messageTs))
}

/** Contains nothing of the task: the message would keep it when the content of the task is deleted. */
function labelMessage({ service, workspaceId, taskId }: Sending, label: string): SlackMessage {
  return messageWithLink(label, taskUrl(service.publicUrl, workspaceId, taskId))
}

function inboxMessage({ service, workspaceId }: Sending, text: string): SlackMessage {
  return messageWithLink(text, `${service.publicUrl}/w/${workspaceId}/inbox`)
}

function messageWithLink(text: string, url: string): SlackMessage {
  return {
    text: notificationText(text),
    blocks: [section(text), { type: 'actions', elements: [linkButton(url)] }],
  }
}

/**
 * The task may change while Slack is called, and another process may rewrite the message at the
 * same time. Each process reads the task again after its update, so that the message ends up with
 * the newest state.
 */
async function rewrite(sending: Sending): Promise<SendResult> {
  const { service, workspaceId, taskId, target } = sending
  const load = () =>
    service.database.inWorkspace(workspaceId, async (tx) => ({
      mayReceive: await mayReceive(tx, target),
      message: await findSlackMessage(tx, taskId, target),
      shown: await loadShownTask(service, tx, taskId),
    }))
  let { message, shown, mayReceive: isAllowed } = await load()
  // If the task changes in each round, the job that looks for outdated messages finds it later.
  for (let round = 1; ; round++) {
    if (!message || !shown) return notNeeded('no message shows the task any more.')
    const content = isAllowed
      ? taskMessage(shown, 'Task')
      : clearedMessage('This task is no longer shown here.')
    const response = await update(sending, message, content)
    if (!response.ok) return await recordResult(sending, response)
    const latest = await load()
    // The message was cleared meanwhile, and this update may have restored its content.
    if (!latest.message) return await recordResult(sending, await update(sending, message, clearedMessage()))
    if (latest.shown?.state === shown.state || round === maxRounds)
      return await recordResult(sending, response)
    message = latest.message
    shown = latest.shown
    isAllowed = latest.mayReceive
  }
}

function update(
  { call }: Sending,
  { channelId, messageTs }: { channelId: string; messageTs: string },
  message: SlackMessage,
): Promise<SlackResponse> {
  return call('chat.update', {
    channel: channelId,
    ts: messageTs,
    ...message,
    ...literal,
  })
}

/**
 * Says only how many tasks are waiting: names would stay in the message when the content of a task
 * is deleted.
 */
async function postCount(
  sending: Sending,
  { taskIds, more }: { taskIds: string[]; more: number },
): Promise<SendResult> {
  const { service, workspaceId, target } = sending
  const open = await service.database.inWorkspace(workspaceId, async (tx) => {
    if (!(await mayReceive(tx, target))) return undefined
    let count = 0
    for (const taskId of taskIds) if ((await findTask(tx, taskId))?.status === 'open') count += 1
    return count
  })
  if (open === undefined) return permanentFailure(notReceiving)
  if (open === 0) return notNeeded('its tasks have ended or were deleted.')
  const count = open + more
  const text = `${count} ${count === 1 ? 'task is' : 'tasks are'} waiting`
  return await recordResult(sending, await post(sending, inboxMessage(sending, text)))
}

/**
 * Whether the target may still get messages: a Slack user that a member has linked, or a channel
 * that an admin has chosen.
 */
async function mayReceive(tx: Transaction, target: string): Promise<boolean> {
  // Slack user ids start with U or W.
  if (/^[UW]/.test(target)) return (await findLinkedMember(tx, target)) !== undefined
  return (await listSlackChannels(tx)).some(({ slackChannel }) => slackChannel.channelId === target)
}

/**
 * Returns the response as a result. Stores what an admin has to do about it, which the settings
 * show until Slack accepts a message again.
 */
async function recordResult({ service, workspaceId }: Sending, response: SlackResponse): Promise<SendResult> {
  const problem = response.ok ? null : adviceFor(response)
  if (problem !== undefined)
    await service.database.inWorkspace(workspaceId, (tx) => setSlackProblem(tx, problem))
  return attemptOf(response)
}
