import type { ColumnType } from 'kysely'
import type { WithDefault } from './column-types.ts'

export type Medium = 'mail' | 'push' | 'slack' | 'chat'

/** A Slack channel, and the policy or group whose tasks it gets. Neither: all tasks. */
export type SlackChannelRoute = { channelId: string; name: string; policyId?: string; groupId?: string }

/** Deliveries, and what notifications of people need. */
export interface NotificationTables {
  deliveries: {
    id: string
    workspaceId: string
    eventId: string
    eventType: string
    taskId: string | null
    kind: 'callback' | 'sse' | 'notice' | Medium
    url: string | null
    recipient: string | null
    /** The channel or user that a Slack message is for. */
    target: string | null
    body: string
    state: WithDefault<'pending' | 'delivered' | 'failed'>
    attemptCount: WithDefault<number>
    /** Attempts since the delivery was created or last redelivered, and when that was. */
    roundCount: WithDefault<number>
    roundAt: WithDefault<Date>
    dueAt: WithDefault<Date>
    leasedUntil: Date | null
    leasedBy: string | null
    createdAt: WithDefault<Date>
    endedAt: Date | null
  }
  deliveryAttempts: {
    deliveryId: string
    number: number
    workspaceId: string
    at: Date
    status: number | null
    durationMilliseconds: number
    error: string | null
    /** The start of the receiver's response. */
    responseBody: string | null
  }
  notificationRoutes: {
    workspaceId: string
    /** The id of a person or of a Slack channel's route, or 'chat'. */
    route: string
    medium: Medium
    /** Priorities by their index, and -1 for what is assigned or addressed to the person. */
    wants: number[]
    sealedUrl: string | null
    slackChannel: ColumnType<SlackChannelRoute | null, string | null | undefined, string | null>
  }
  quietHours: {
    workspaceId: string
    userId: string
    fromMinute: number
    toMinute: number
    timeZone: string
    exceptUrgent: boolean
  }
  heldNotifications: {
    workspaceId: string
    userId: string
    medium: 'mail' | 'push' | 'slack'
    taskId: string
    /** The task is new, something in it has changed, or a note mentions the person. */
    reason: 'new' | 'changed' | 'mentioned'
    label: string
    dueAt: Date
  }
  pushSubscriptions: {
    id: string
    workspaceId: string
    userId: string
    endpointDigest: string
    sealed: string
    userAgent: string
    createdAt: WithDefault<Date>
  }
  slackConnections: {
    workspaceId: string
    teamId: string
    teamName: string
    botUserId: string
    sealedToken: string
    sealedSigningSecret: string
    connectedBy: string
    connectedAt: WithDefault<Date>
    problem: ColumnType<string | null, string | null | undefined, string | null>
    problemAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  }
  slackPeople: {
    workspaceId: string
    userId: string
    slackUserId: string
    slackName: string
    linkedAt: WithDefault<Date>
  }
  slackCodes: { workspaceId: string; userId: string; codeDigest: string; expiresAt: Date }
  slackMessages: {
    workspaceId: string
    taskId: string
    /** The channel or user that the message was sent to. */
    target: string
    channelId: string
    messageTs: string
    shown: string
    isFinal: WithDefault<boolean>
    postedAt: WithDefault<Date>
  }
}
