import type { SlackResponse } from '../../../lib/slack-api.ts'
import type { AttemptResult } from '../../delivery/transport.ts'

type FailedCall = Extract<SlackResponse, { ok: false }>

/** What an admin has to do, by Slack's error code. */
const adviceByCode: Record<string, string> = {
  invalid_auth: 'Slack no longer accepts the bot token. Connect again with a new one.',
  not_authed: 'Slack no longer accepts the bot token. Connect again with a new one.',
  token_revoked: 'The bot token was revoked. Install the Slack app again and connect with its new token.',
  token_expired: 'The bot token has expired. Turn off token rotation in the Slack app and connect again.',
  account_inactive: 'The Slack app was removed from the Slack workspace. Install it again and connect again.',
  missing_scope:
    'The Slack app lacks a permission. Update it with the manifest, install it again and connect again.',
  no_permission:
    'The Slack app lacks a permission. Update it with the manifest, install it again and connect again.',
  channel_not_found: 'Slack does not find the channel. If it is private, invite the app to it.',
  not_in_channel: 'The app is not in the channel. Invite it there.',
  is_archived: 'The channel is archived. Choose another one.',
  restricted_action: 'The settings of the Slack workspace do not allow the app to post there.',
  messages_tab_disabled: 'The Slack app cannot send direct messages. Update it with the manifest.',
}

/** With these codes, Slack may accept the same call later. All others are permanent. */
const transientCodes = [
  'ratelimited',
  'rate_limited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'accesslimited',
  'team_added_to_org',
]

/**
 * What an admin has to do about a failed call. undefined: nothing, because the failure concerns one
 * message or may be temporary.
 */
export function adviceFor({ code }: FailedCall): string | undefined {
  return code === undefined ? undefined : adviceByCode[code]
}

export function explainFailedCall(call: FailedCall): string {
  return adviceFor(call) ?? call.error
}

export function isPermanent({ code, status }: FailedCall): boolean {
  return code !== undefined && status !== 429 && !transientCodes.includes(code)
}

/**
 * The response as the result of a delivery attempt. Slack also refuses calls with HTTP status 200,
 * which would count as delivered, so the result then has no status.
 */
export function attemptOf(response: SlackResponse): Omit<AttemptResult, 'durationMilliseconds'> {
  if (response.ok) return { status: 200 }
  const { status, retryAfterSeconds } = response
  const advice = adviceFor(response)
  return {
    status: status === 200 ? undefined : status,
    error: advice ? `${response.error} ${advice}` : response.error,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(isPermanent(response) && { isPermanent: true as const }),
  }
}
