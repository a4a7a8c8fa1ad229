import { randomBytes } from 'node:crypto'
import { limits } from '../../../../contract/limits.ts'
import type { SlackCode } from '../../../../contract/slack.ts'
import { sha256Hex } from '../../../lib/sha256.ts'
import { appendAudit } from '../../../storage/audit/audit-log.ts'
import {
  findSlackConnection,
  linkSlackUser,
  saveSlackCode,
  takeSlackCode,
  unlinkSlackUser,
} from '../../../storage/notifications/slack.ts'
import { findMember } from '../../../storage/people/members.ts'
import { consumeRateLimits, refundRateLimits } from '../../../storage/people/rate-counts.ts'
import { findWorkspace } from '../../../storage/people/workspaces.ts'
import type { PersonActor } from '../../actor.ts'
import { undoIfSignedOut } from '../../oauth/connected-apps.ts'
import { conflict } from '../../problems.ts'
import type { Service } from '../../service.ts'
import { linkedSlackMail, reportToPerson } from '../../workspaces/account-mails.ts'
import type { SlackConnection } from './connection.ts'
import { explainFailedCall } from './failed-calls.ts'
import { slackCommand } from './manifest.ts'

// Crockford's base32, without the letters I, L, O and U, which could be mistaken for other characters
// or form words. Ten characters are 50 random bits.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeLength = 10
const wrongCodes = { max: 5, seconds: 900 }

/** Creates a code. The Slack user who sends it to the Slack app is then linked to this member. */
export async function createSlackCode(
  service: Service,
  actor: PersonActor,
  headers: Headers,
): Promise<SlackCode> {
  const { database } = service
  const code = Array.from(randomBytes(codeLength), (byte) => alphabet[byte % alphabet.length]).join('')
  const expiresAt = await database.inWorkspace(actor.workspaceId, async (tx) => {
    if (!(await findSlackConnection(tx)))
      throw conflict('This workspace is not connected to Slack. Ask an admin to connect it.')
    return await saveSlackCode(tx, actor.id, digestOf(code), limits.slackCodeMinutes)
  })
  await undoIfSignedOut(service, headers, actor.id, () =>
    database.inWorkspace(actor.workspaceId, (tx) => takeSlackCode(tx, digestOf(code))),
  )
  const readable = `${code.slice(0, 4)}-${code.slice(4, 8)}-${code.slice(8)}`
  return { command: `${slackCommand} link ${readable}`, expiresAt: expiresAt.toISOString() }
}

export async function unlinkSlack({ database }: Service, actor: PersonActor): Promise<void> {
  await database.inWorkspace(actor.workspaceId, async (tx) => {
    if (!(await unlinkSlackUser(tx, actor.id))) return
    await appendAudit(tx, {
      actor: actor.id,
      from: actor.from,
      action: 'slack.user_unlinked',
      subject: actor.id,
    })
  })
}

type CommandSender = { workspaceId: string; connection: SlackConnection; slackUserId: string }

/** Runs a slash command, whatever its name. Returns a text that only its sender sees. */
export async function runSlackCommand(
  service: Service,
  sender: CommandSender,
  text: string,
): Promise<{ text: string; url?: string }> {
  const [verb = '', code = '', ...rest] = text.trim().split(/\s+/)
  if (verb.toLowerCase() !== 'link' || code === '' || rest.length > 0)
    return {
      text: 'To link your Slack user, open Settings, Notifications in Handrail, choose Link my Slack user, and send the command shown there.',
      url: notificationSettingsUrl(service, sender),
    }
  return { text: await linkByCode(service, sender, normalize(code)) }
}

async function linkByCode(
  service: Service,
  { workspaceId, connection, slackUserId }: CommandSender,
  code: string,
): Promise<string> {
  const { database } = service
  const rateLimits = [{ subject: `wrong Slack codes of ${workspaceId} ${slackUserId}`, ...wrongCodes }]
  if (!(await consumeRateLimits(database, rateLimits)).allowed)
    return `Too many wrong codes. Nothing was linked. Try again in ${wrongCodes.seconds / 60} minutes.`
  const response = await service.slack.call(connection.token, 'users.info', { user: slackUserId })
  if (!response.ok) {
    // The code was not checked, so the attempt does not count.
    await refundRateLimits(database, rateLimits)
    return `Nothing was linked. ${explainFailedCall(response)}`
  }
  const slackName = nameOfFullMember(response.body.user, connection.teamId, slackUserId)
  if (slackName === undefined)
    return 'Nothing was linked. Only full members of this Slack workspace can answer tasks, not guests or people from other Slack workspaces.'
  const linked = await database.inWorkspace(workspaceId, async (tx) => {
    const userId = await takeSlackCode(tx, digestOf(code))
    const member = userId === undefined ? undefined : await findMember(tx, userId)
    if (!member) return undefined
    const unlinkedId = await linkSlackUser(tx, { userId: member.userId, slackUserId, slackName })
    const about = { from: 'slack', actor: member.userId }
    if (unlinkedId !== undefined)
      await appendAudit(tx, { ...about, action: 'slack.user_unlinked', subject: unlinkedId })
    await appendAudit(tx, {
      ...about,
      action: 'slack.user_linked',
      subject: member.userId,
      details: { slackUserId },
    })
    return { member, workspaceName: (await findWorkspace(tx))!.name }
  })
  if (!linked)
    return 'This code is wrong, was used already or has expired. Nothing was linked. Create a new one in Handrail.'
  await refundRateLimits(database, rateLimits)
  const { member, workspaceName } = linked
  // Someone else at the person's computer could have linked their own Slack user.
  reportToPerson(
    service,
    { ...member, id: member.userId },
    'linked Slack user',
    linkedSlackMail(service, workspaceName),
  )
  return `Your Slack user is now linked to ${member.email} in Handrail. You can answer tasks here if their messages have buttons.`
}

/**
 * undefined: a guest, a bot, a former user or someone from another Slack workspace, who must not
 * answer for a member.
 */
function nameOfFullMember(found: unknown, teamId: string, slackUserId: string): string | undefined {
  const user = (found ?? {}) as Record<string, unknown>
  const isRegular = !['deleted', 'is_bot', 'is_restricted', 'is_ultra_restricted', 'is_stranger'].some(
    (flag) => user[flag],
  )
  if (user.id !== slackUserId || user.team_id !== teamId || !isRegular) return undefined
  return String(user.real_name || user.name || slackUserId).slice(0, 100)
}

export function notificationSettingsUrl(
  { publicUrl }: Service,
  { workspaceId }: { workspaceId: string },
): string {
  return `${publicUrl}/w/${workspaceId}/settings/notifications`
}

/**
 * Accepts lower case, hyphens anywhere, and the letters O, I and L in place of the digits 0 and 1.
 */
function normalize(code: string): string {
  return code.toUpperCase().replaceAll('-', '').replaceAll('O', '0').replace(/[IL]/g, '1')
}

function digestOf(code: string): string {
  return sha256Hex(`slack code ${code}`)
}
