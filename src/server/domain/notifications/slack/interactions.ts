import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '../../service.ts'
import { handleClick, handleSubmission, type InteractionResult, type SlackOrigin } from './answer.ts'
import { runSlackCommand } from './link.ts'
import { explanationBlocks, explanationModal } from './modal.ts'
import { type Command, type Interaction, readModalReference, type SlackRequest } from './payload.ts'
import { notificationText } from './text.ts'

// Slack waits three seconds for a response and then tells the person that the app failed.
const responseMilliseconds = 2_500

/**
 * The channel and the person for a message that only this person sees, which Slack calls ephemeral.
 */
type EphemeralTarget = { channelId: string; slackUserId: string; responseUrl: string | undefined }

/**
 * Returns the body of the response to Slack, undefined for an empty one. `receivedAt` is a value of
 * performance.now().
 */
export async function respondToSlack(
  service: Service,
  origin: SlackOrigin,
  request: SlackRequest,
  receivedAt: number,
): Promise<object | undefined> {
  if (request.kind === 'command') return await respondToCommand(service, origin, request.command, receivedAt)
  const { interaction } = request
  const target = ephemeralTargetOf(interaction)
  const working = handleInteraction(service, origin, interaction).catch((error: unknown) =>
    logFailure(service, origin, error, answerUnfinished),
  )
  const result = await withinResponseTime(working, receivedAt)
  if (!result) {
    void working.then((late) =>
      explainPrivately(service, origin, target, late.kind === 'done' ? doneLate : late),
    )
    return respondWith(service, origin, interaction, target, stillWorking)
  }
  return respondWith(service, origin, interaction, target, result)
}

const answerUnfinished =
  'Handrail could not finish this. Open the task to see whether it is still waiting, then try again.'
const linkUnfinished =
  'Handrail could not finish this. Open Settings, Notifications to see whether your Slack user is linked, then try again.'
const doneLate: InteractionResult = {
  kind: 'explained',
  text: 'Done. If a form has opened, submit it; otherwise your answer was recorded.',
}
const stillWorking: InteractionResult = {
  kind: 'explained',
  text: 'Handrail is slow at the moment and has recorded nothing yet. You get another message when it is done.',
}

function handleInteraction(
  service: Service,
  origin: SlackOrigin,
  interaction: Interaction,
): Promise<InteractionResult> {
  return interaction.type === 'block_actions'
    ? handleClick(service, origin, interaction)
    : handleSubmission(service, origin, interaction)
}

/** After a click, the explanation is posted in the channel. After a form, it replaces the modal. */
function respondWith(
  service: Service,
  origin: SlackOrigin,
  { type }: Interaction,
  target: EphemeralTarget,
  result: InteractionResult,
): object | undefined {
  if (type === 'block_actions') {
    void explainPrivately(service, origin, target, result)
    return undefined
  }
  if (result.kind === 'errors') return { response_action: 'errors', errors: result.errors }
  if (result.kind === 'done') return undefined
  return { response_action: 'update', view: explanationModal(result.text, result.url) }
}

async function respondToCommand(
  service: Service,
  origin: SlackOrigin,
  { team_id, user_id: slackUserId, channel_id: channelId, text, response_url: responseUrl }: Command,
  receivedAt: number,
): Promise<object> {
  if (team_id !== origin.connection.teamId)
    return ephemeralResponse('This Slack workspace is not the connected one. Nothing was linked.')
  const working = runSlackCommand(service, { ...origin, slackUserId }, text).then(
    (reply): InteractionResult => ({ kind: 'explained', ...reply }),
    (error: unknown) => logFailure(service, origin, error, linkUnfinished),
  )
  const result = await withinResponseTime(working, receivedAt)
  if (result?.kind === 'explained') return ephemeralResponse(result.text, result.url)
  void working.then((late) =>
    explainPrivately(service, origin, { channelId, slackUserId, responseUrl }, late),
  )
  return ephemeralResponse(
    'Handrail has not linked your Slack user yet. You get another message when it has.',
  )
}

function ephemeralResponse(text: string, url?: string): object {
  return {
    response_type: 'ephemeral',
    text: notificationText(text),
    blocks: explanationBlocks(text, url),
  }
}

/**
 * The result of the work, or undefined if it takes longer than Slack waits. The work then
 * continues.
 */
async function withinResponseTime(
  working: Promise<InteractionResult>,
  receivedAt: number,
): Promise<InteractionResult | undefined> {
  const timer = new AbortController()
  const left = Math.max(receivedAt + responseMilliseconds - performance.now(), 0)
  try {
    return await Promise.race([working, sleep(left, undefined, { signal: timer.signal })])
  } finally {
    timer.abort()
  }
}

/**
 * Logs the error, without the payload, which may contain an answer. Returns the explanation `text`.
 */
function logFailure(
  { log }: Service,
  { workspaceId }: SlackOrigin,
  error: unknown,
  text: string,
): InteractionResult {
  log.error({ err: error, workspaceId }, 'failed to handle a request from Slack')
  return { kind: 'explained', text }
}

function ephemeralTargetOf(interaction: Interaction): EphemeralTarget {
  const slackUserId = interaction.user.id
  if (interaction.type === 'block_actions')
    return { channelId: interaction.channel.id, slackUserId, responseUrl: interaction.response_url }
  const channelId = readModalReference(interaction.view.private_metadata)?.channelId ?? ''
  return { channelId, slackUserId, responseUrl: undefined }
}

/**
 * Posts an explanation that only this person sees. Uses the URL that came with a click or command,
 * because it works even in channels that the app has not joined. A form brings no URL, so the API
 * is called.
 */
async function explainPrivately(
  { slack, log }: Service,
  { connection, workspaceId }: SlackOrigin,
  target: EphemeralTarget,
  result: InteractionResult,
) {
  if (result.kind === 'done' || target.channelId === '') return
  const text =
    result.kind === 'errors' ? `Nothing was recorded. ${Object.values(result.errors).join(' ')}` : result.text
  const message = {
    text: notificationText(text),
    blocks: explanationBlocks(text, result.kind === 'explained' ? result.url : undefined),
  }
  const { channelId: channel, slackUserId: user, responseUrl } = target
  const response =
    responseUrl !== undefined && slack.isResponseUrl(responseUrl)
      ? await slack.respond(responseUrl, { ...message, response_type: 'ephemeral', replace_original: false })
      : await slack.call(connection.token, 'chat.postEphemeral', { channel, user, ...message })
  if (!response.ok)
    log.warn({ workspaceId, code: response.code }, 'failed to post an ephemeral message to Slack')
}
