import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '../../service.ts'
import { handleClick, handleSubmission, type Outcome, type SlackOrigin } from './answer.ts'
import { runSlackCommand } from './link.ts'
import { explanationBlocks, explanationModal } from './modal.ts'
import { type Command, type Interaction, readModalSubject, type SlackRequest } from './payload.ts'
import { notificationText } from './text.ts'

// Slack waits three seconds for a response and then tells the person that the app failed.
const responseMilliseconds = 2_500

/** Where an explanation is posted that only this person sees. */
type Place = { channelId: string; slackUserId: string; responseUrl: string | undefined }

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
  const place = placeOf(interaction)
  const working = run(service, origin, interaction).catch((error: unknown) =>
    failed(service, origin, error, answerUnfinished),
  )
  const outcome = await inTime(working, receivedAt)
  if (!outcome) {
    void working.then((late) =>
      explainPrivately(service, origin, place, late.kind === 'done' ? recorded : late),
    )
    return respondWith(service, origin, interaction, place, notYet)
  }
  return respondWith(service, origin, interaction, place, outcome)
}

const answerUnfinished =
  'Handrail could not finish this. Open the task to see whether it is still waiting, then try again.'
const linkUnfinished =
  'Handrail could not finish this. Open Settings, Notifications to see whether your Slack user is linked, then try again.'
const recorded: Outcome = {
  kind: 'explained',
  text: 'Done. If a form has opened, submit it; otherwise your answer was recorded.',
}
const notYet: Outcome = {
  kind: 'explained',
  text: 'Handrail is slow at the moment and has recorded nothing yet. You get another message when it is done.',
}

function run(service: Service, origin: SlackOrigin, interaction: Interaction): Promise<Outcome> {
  return interaction.type === 'block_actions'
    ? handleClick(service, origin, interaction)
    : handleSubmission(service, origin, interaction)
}

/** After a click, the explanation is posted in the channel. After a form, it replaces the modal. */
function respondWith(
  service: Service,
  origin: SlackOrigin,
  { type }: Interaction,
  place: Place,
  outcome: Outcome,
): object | undefined {
  if (type === 'block_actions') {
    void explainPrivately(service, origin, place, outcome)
    return undefined
  }
  if (outcome.kind === 'errors') return { response_action: 'errors', errors: outcome.errors }
  if (outcome.kind === 'done') return undefined
  return { response_action: 'update', view: explanationModal(outcome.text, outcome.url) }
}

async function respondToCommand(
  service: Service,
  origin: SlackOrigin,
  { team_id, user_id: slackUserId, channel_id: channelId, text, response_url: responseUrl }: Command,
  receivedAt: number,
): Promise<object> {
  if (team_id !== origin.connection.teamId)
    return privately('This Slack workspace is not the connected one. Nothing was linked.')
  const working = runSlackCommand(service, { ...origin, slackUserId }, text).then(
    (reply): Outcome => ({ kind: 'explained', ...reply }),
    (error: unknown) => failed(service, origin, error, linkUnfinished),
  )
  const outcome = await inTime(working, receivedAt)
  if (outcome?.kind === 'explained') return privately(outcome.text, outcome.url)
  void working.then((late) =>
    explainPrivately(service, origin, { channelId, slackUserId, responseUrl }, late),
  )
  return privately('Handrail has not linked your Slack user yet. You get another message when it has.')
}

function privately(text: string, url?: string): object {
  return {
    response_type: 'ephemeral',
    text: notificationText(text),
    blocks: explanationBlocks(text, url),
  }
}

/** undefined: the work takes longer than Slack waits. It continues. */
async function inTime(working: Promise<Outcome>, receivedAt: number): Promise<Outcome | undefined> {
  const timer = new AbortController()
  const left = Math.max(receivedAt + responseMilliseconds - performance.now(), 0)
  try {
    return await Promise.race([working, sleep(left, undefined, { signal: timer.signal })])
  } finally {
    timer.abort()
  }
}

/** Logs the error without the payload, which may contain an answer. */
function failed({ log }: Service, { workspaceId }: SlackOrigin, error: unknown, text: string): Outcome {
  log.error({ err: error, workspaceId }, 'failed to handle a request from Slack')
  return { kind: 'explained', text }
}

function placeOf(interaction: Interaction): Place {
  const slackUserId = interaction.user.id
  if (interaction.type === 'block_actions')
    return { channelId: interaction.channel.id, slackUserId, responseUrl: interaction.response_url }
  const channelId = readModalSubject(interaction.view.private_metadata)?.channelId ?? ''
  return { channelId, slackUserId, responseUrl: undefined }
}

/**
 * Uses the URL that came with a click or command, which also works where the app is not a member;
 * otherwise the API.
 */
async function explainPrivately(
  { slack, log }: Service,
  { connection, workspaceId }: SlackOrigin,
  place: Place,
  outcome: Outcome,
) {
  if (outcome.kind === 'done' || place.channelId === '') return
  const text =
    outcome.kind === 'errors'
      ? `Nothing was recorded. ${Object.values(outcome.errors).join(' ')}`
      : outcome.text
  const message = {
    text: notificationText(text),
    blocks: explanationBlocks(text, outcome.kind === 'explained' ? outcome.url : undefined),
  }
  const { channelId: channel, slackUserId: user, responseUrl } = place
  const response =
    responseUrl !== undefined && slack.isResponseUrl(responseUrl)
      ? await slack.respond(responseUrl, { ...message, response_type: 'ephemeral', replace_original: false })
      : await slack.call(connection.token, 'chat.postEphemeral', { channel, user, ...message })
  if (!response.ok)
    log.warn({ workspaceId, code: response.code }, 'failed to post an ephemeral message to Slack')
}
