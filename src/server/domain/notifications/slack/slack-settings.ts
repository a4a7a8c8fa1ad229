import type { ConnectSlack, SetSlackChannels, Slack, SlackChannel } from '../../../../contract/slack.ts'
import { open, seal } from '../../../lib/sealed-text.ts'
import { appendAudit } from '../../../storage/audit/audit-log.ts'
import { insertDelivery } from '../../../storage/delivery/deliveries.ts'
import type { Transaction } from '../../../storage/engine/database.ts'
import {
  countSlackPeople,
  deleteSlackConnection,
  findSlackConnection,
  listSlackChannels,
  lockSlackConnection,
  replaceSlackChannels,
  type SlackChannelRow,
  saveSlackConnection,
  unlinkEverybody,
} from '../../../storage/notifications/slack.ts'
import { outdateSlackMessages } from '../../../storage/notifications/slack-messages.ts'
import { findWorkspace } from '../../../storage/people/workspaces.ts'
import { listGroups } from '../../../storage/review/groups.ts'
import { listPolicies } from '../../../storage/review/policies.ts'
import { type PersonActor, requireRole } from '../../actor.ts'
import { conflict, DomainProblem, invalidRequest } from '../../problems.ts'
import type { Service } from '../../service.ts'
import { toChatFor, wantsOfChat } from '../chat-wants.ts'
import { testEvent } from '../send-test.ts'
import type { SlackDelivery } from './delivery.ts'
import { explainFailedCall, isPermanent } from './failed-calls.ts'
import { manifestOf } from './manifest.ts'

export async function findSlack(service: Service, actor: PersonActor): Promise<Slack> {
  requireRole(actor, 'admin')
  return await service.database.inWorkspace(actor.workspaceId, (tx) => present(service, tx))
}

/**
 * Connecting another Slack workspace removes linked people and channels, because their ids belong
 * to the old Slack workspace. Another signing secret unlinks everybody: people have linked
 * themselves to another Slack app, and whoever knows the new secret could forge clicks in their
 * name.
 */
export async function connectSlack(
  service: Service,
  actor: PersonActor,
  { botToken, signingSecret }: ConnectSlack,
): Promise<Slack> {
  requireRole(actor, 'admin')
  const team = await findTeam(service, botToken)
  const sealed = (text: string) => seal(text, service.secrets.encryptionKey, actor.workspaceId)
  const reveal = (text: string) => open(text, service.secrets.encryptionKey, actor.workspaceId)
  return await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    const before = await findSlackConnection(tx)
    if (before && before.teamId !== team.teamId) await deleteSlackConnection(tx)
    else if (before && reveal(before.sealedSigningSecret) !== signingSecret) await unlinkEverybody(tx)
    await saveSlackConnection(tx, {
      ...team,
      sealedToken: sealed(botToken),
      sealedSigningSecret: sealed(signingSecret),
      connectedBy: actor.id,
    })
    await audit(tx, actor, 'slack.connected', { teamId: team.teamId, teamName: team.teamName })
    return await present(service, tx)
  })
}

async function findTeam({ slack }: Service, botToken: string) {
  const response = await slack.call(botToken, 'auth.test', {})
  if (!response.ok) {
    const { code, error, retryAfterSeconds } = response
    if (!isPermanent(response))
      throw new DomainProblem('unavailable', `${error} Try again later.`, { retryAfterSeconds })
    const isUnknown = code === 'invalid_auth' || code === 'not_authed'
    const message = isUnknown
      ? 'Slack does not accept this token. Copy it from the Slack app again.'
      : explainFailedCall(response)
    throw invalidRequest([{ path: 'botToken', message }])
  }
  const { team_id: teamId, team, user_id: botUserId } = response.body
  if (typeof teamId !== 'string' || typeof botUserId !== 'string')
    throw invalidRequest([
      { path: 'botToken', message: 'This token does not belong to a bot of a Slack workspace.' },
    ])
  return { teamId, botUserId, teamName: String(team ?? teamId).slice(0, 200) }
}

export async function disconnectSlack({ database }: Service, actor: PersonActor): Promise<void> {
  requireRole(actor, 'admin')
  await database.inWorkspace(actor.workspaceId, async (tx) => {
    if (await deleteSlackConnection(tx)) await audit(tx, actor, 'slack.disconnected')
  })
}

export async function setSlackChannels(
  service: Service,
  actor: PersonActor,
  { channels }: SetSlackChannels,
): Promise<Slack> {
  requireRole(actor, 'admin')
  return await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    await requireConnection(tx)
    await requirePoliciesAndGroups(tx, channels)
    await replaceSlackChannels(tx, channels.map(toRow))
    await outdateSlackMessages(tx)
    await audit(tx, actor, 'slack.channels_set', { channels })
    return await present(service, tx)
  })
}

async function requirePoliciesAndGroups(tx: Transaction, channels: SlackChannel[]): Promise<void> {
  const policies = (await listPolicies(tx)).map(({ id }) => id)
  const groups = (await listGroups(tx)).map(({ id }) => id)
  const errors = channels.flatMap(({ policyId, groupId }, n) => {
    if (policyId !== undefined && !policies.includes(policyId))
      return [{ path: `channels[${n}].policyId`, message: 'There is no such policy in this workspace.' }]
    if (groupId !== undefined && !groups.includes(groupId))
      return [{ path: `channels[${n}].groupId`, message: 'There is no such group in this workspace.' }]
    return []
  })
  if (errors.length > 0) throw invalidRequest(errors)
}

/** Queues the test like a real message, so that it covers the whole path. Returns the id of the delivery. */
export async function sendTestSlack(
  { database }: Service,
  actor: PersonActor,
  channelId: string,
): Promise<string> {
  requireRole(actor, 'admin')
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    await requireConnection(tx)
    return await insertDelivery(tx, {
      ...testEvent(),
      kind: 'slack',
      target: channelId,
      body: JSON.stringify({ do: 'test' } satisfies SlackDelivery),
    })
  })
}

async function requireConnection(tx: Transaction): Promise<void> {
  if (!(await lockSlackConnection(tx)))
    throw conflict('This workspace is not connected to Slack. Connect it first.')
}

function toRow({ channelId, name, policyId, groupId, for: wanted }: SlackChannel): SlackChannelRow {
  const condition = { ...(policyId !== undefined && { policyId }), ...(groupId !== undefined && { groupId }) }
  return { slackChannel: { channelId, name, ...condition }, wants: wantsOfChat[wanted] }
}

async function present(service: Service, tx: Transaction): Promise<Slack> {
  const connection = await findSlackConnection(tx)
  const { requiresTwoFactor } = (await findWorkspace(tx))!
  return {
    manifest: manifestOf(service, tx.workspaceId),
    ...(connection && {
      connection: {
        teamName: connection.teamName,
        connectedAt: connection.connectedAt.toISOString(),
        ...(connection.problem !== null && { problem: connection.problem }),
        ...(connection.problemAt !== null && { problemAt: connection.problemAt.toISOString() }),
      },
    }),
    channels: (await listSlackChannels(tx)).map(({ slackChannel, wants }) => ({
      ...slackChannel,
      for: toChatFor(wants),
    })),
    linkedPeople: await countSlackPeople(tx),
    ...(requiresTwoFactor && {
      buttonsOff:
        'This workspace requires two-factor authentication, so messages have a link instead of buttons.',
    }),
  }
}

function audit(
  tx: Transaction,
  { id, from }: PersonActor,
  action: 'slack.connected' | 'slack.disconnected' | 'slack.channels_set',
  details?: Record<string, unknown>,
): Promise<void> {
  return appendAudit(tx, { actor: id, from, action, subject: tx.workspaceId, ...(details && { details }) })
}
