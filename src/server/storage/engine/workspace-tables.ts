import type { ColumnType, Generated } from 'kysely'
import type { KeyScope } from '../../../contract/api-key.ts'
import type { OnDecline } from '../../../contract/review.ts'
import type { Json, WithDefault } from './column-types.ts'

/** The settings of a policy. People and groups are ids. */
export type PolicySettings = {
  by?: string[]
  needed?: number
  onDecline?: OnDecline
  requesterMayAnswer?: boolean
  doubleReviewShare?: number
  assignTo?: string
  answerWithinMinutes?: number
  remindAfterMinutes?: number
  escalate?: { afterMinutes: number; to: string; raisePriority?: boolean }[]
  linkOnly?: boolean
}

/** Workspaces, their people, and how they divide the work. */
export interface WorkspaceTables {
  workspaces: {
    id: string
    name: string
    retentionDays: ColumnType<number | null, number | null | undefined, number | null>
    requiresTwoFactor: WithDefault<boolean>
    maxKeyDays: ColumnType<number | null, number | null | undefined, number | null>
    defaultKeyScopes: WithDefault<KeyScope[]>
    allowsApps: WithDefault<boolean>
    /** Rises with every change of a group, a policy or a rule. */
    rulesVersion: WithDefault<number>
    createdAt: WithDefault<Date>
    updatedAt: WithDefault<Date>
  }
  webhookSecrets: {
    id: Generated<string>
    workspaceId: string
    sealed: string
    createdAt: WithDefault<Date>
    expiresAt: Date | null
  }
  users: {
    id: string
    name: string
    email: string
    emailVerified: ColumnType<boolean, never, never>
    twoFactorEnabled: ColumnType<boolean, never, never>
  }
  members: { workspaceId: string; userId: string; role: string; createdAt: WithDefault<Date> }
  groups: { id: string; workspaceId: string; slug: string; name: string; createdAt: WithDefault<Date> }
  groupMembers: { workspaceId: string; groupId: string; userId: string }
  policies: {
    id: string
    workspaceId: string
    app: string | null
    type: string | null
    settings: Json<PolicySettings>
    createdAt: WithDefault<Date>
    updatedAt: WithDefault<Date>
  }
  invitations: {
    id: string
    workspaceId: string
    email: string
    role: string
    tokenDigest: string
    invitedBy: string
    createdAt: WithDefault<Date>
    expiresAt: Date
    acceptedAt: Date | null
    /** The link was only sent to the address, so having it proves the address. */
    mailed: boolean
  }
  erasures: { workspaceId: string; userId: string; dueAt: WithDefault<Date> }
}
