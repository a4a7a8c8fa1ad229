import type { ColumnType, Generated } from 'kysely'
import type { Action, Outcome } from '../../../contract/action.ts'
import type { SentOptions } from '../../../contract/create-task.ts'
import type { Edit } from '../../../contract/edits/edit.ts'
import type { EditLevel } from '../../../contract/edits/word-diff.ts'
import type { AnalysisResult } from '../../../contract/feedback-analysis.ts'
import type { NoteKind } from '../../../contract/note.ts'
import type { QuestionKind } from '../../../contract/question.ts'
import type { GivenAnswer, OnDecline } from '../../../contract/review.ts'
import type { Evidence } from '../../../contract/rules/evidence.ts'
import type {
  PausedBecause,
  RuleCondition,
  RuleDisagreement,
  RuleState,
} from '../../../contract/rules/rule.ts'
import type { DecidedBy, Presented, Via } from '../../../contract/task-answer.ts'
import type { View } from '../../../contract/view.ts'
import type { KeyScope } from '../../../contract/workspace.ts'
import type { NotificationTables } from './notification-tables.ts'

// Column names are camelCase here and snake_case in SQL (Kysely's CamelCasePlugin).
// `json` columns are written as text and read as parsed values, in the original key order.

type Json<T = unknown> = ColumnType<T, string, string>
type NullableJson<T = unknown> = ColumnType<T | null, string | null, string | null>
type WithDefault<T> = ColumnType<T, T | undefined, T>

type StoredContext = { data: Record<string, unknown>; ui?: Record<string, unknown> }

/** The effective review of a task. People and groups are ids. */
export type StoredReview = {
  /** Who may answer. Left out: every member. */
  by?: string[]
  /** Only those of `by` who are also among these. */
  within?: string[]
  notBy?: string[]
  /** The same people as `behind`, if they must not answer. */
  requesters?: string[]
  /** The people behind the task: who created it, or holds its API key. Unknown for tasks from before escalations had their own list, until one escalates. */
  behind?: string[]
  /** Who may answer too since the task was escalated to them, except the people behind it. */
  escalatedTo?: string[]
  needed: number
  onDecline: OnDecline
}

/** Of a policy. People and groups are ids. */
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

export interface Schema extends NotificationTables {
  serviceFacts: { name: string; value: string }
  clockOffset: { onlyRow: Generated<boolean>; amount: string }
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
    id: Generated<number>
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
  apiKeys: {
    id: string
    workspaceId: string
    name: string
    scopes: KeyScope[]
    apps: string[] | null
    types: string[] | null
    cidrs: string[] | null
    createdBy: string
    createdAt: WithDefault<Date>
    expiresAt: Date | null
    revokedAt: Date | null
    lastUsedAt: Date | null
  }
  apiKeySecrets: {
    digest: string
    keyId: string
    workspaceId: string
    firstCharacters: string
    lastFour: string
    /** Who received it. */
    createdBy: ColumnType<string | null, string, never>
    createdAt: WithDefault<Date>
    expiresAt: Date | null
  }
  oauthClients: {
    id: string
    name: string
    redirectUris: string[]
    createdAt: WithDefault<Date>
    documentReadAt: Date | null
    allowedAt: WithDefault<Date | null>
  }
  oauthGrants: {
    id: string
    workspaceId: string
    userId: string
    clientId: string
    clientName: string
    clientAddress: string
    isVerified: boolean
    scopes: KeyScope[]
    createdAt: WithDefault<Date>
    lastUsedAt: WithDefault<Date | null>
    revokedAt: WithDefault<Date | null>
  }
  oauthTokens: {
    digest: string
    kind: 'code' | 'access' | 'refresh'
    grantId: string
    workspaceId: string
    createdAt: WithDefault<Date>
    expiresAt: Date
    usedAt: WithDefault<Date | null>
    redirectUri: WithDefault<string | null>
    codeChallenge: WithDefault<string | null>
  }
  threads: {
    workspaceId: string
    id: string
    openCount: number
    rank: number
    oldestOpenAt: Date
    waitingCount: WithDefault<number>
  }
  tasks: {
    id: string
    workspaceId: string
    threadId: string
    status: WithDefault<'open' | 'handled' | 'cancelled' | 'expired'>
    app: string
    type: string
    name: string
    description: string
    version: string | null
    priority: number
    delivery: 'poll' | 'sse' | 'callback'
    metadata: NullableJson<Record<string, unknown>>
    /** A person or a group by id. */
    assignedTo: string | null
    createdBy: string
    createdAt: WithDefault<Date>
    updatedAt: WithDefault<Date>
    expiresAt: Date | null
    endedAt: Date | null
    actionId: string | null
    actionTitle: string | null
    answer: NullableJson<Record<string, unknown>>
    handledBy: string | null
    handledById: string | null
    handledByVerified: boolean | null
    decidedBy: DecidedBy | null
    ruleId: WithDefault<string | null>
    via: WithDefault<Via | null>
    presented: NullableJson<Presented>
    edits: ColumnType<Edit[] | null, string | null | undefined, string | null>
    editLevel: WithDefault<EditLevel | null>
    bulkId: WithDefault<string | null>
    cancelReason: string | null
    updateCount: WithDefault<number>
    latestUpdateId: string | null
    sessionId: string | null
    traceparent: WithDefault<string | null>
    tracestate: WithDefault<string | null>
    callbackUrl: string | null
    /** Whether its events go to MCP sessions, as deliveries of kind sse. Deliveries of kind push are web push messages. */
    push: WithDefault<boolean>
    onExpire: NullableJson<{ actionId: string; data: Record<string, unknown> }>
    contentDeletedAt: ColumnType<Date | null, never, Date>
    revision: WithDefault<number>
    acceptsQuestions: WithDefault<boolean>
    questionCount: WithDefault<number>
    openQuestionCount: WithDefault<number>
    /** The newest question that is open, otherwise the one that was answered last. The inbox shows it. */
    latestQuestionId: ColumnType<string | null, undefined, string>
    /** While open: until when it waits for the agent. Null: it waits for people. */
    agentDueAt: ColumnType<Date | null, undefined, Date | null>
    review: ColumnType<StoredReview | null, string | null | undefined, string>
    answerCount: WithDefault<number>
    answerBy: ColumnType<Date | null, undefined, Date | null>
    waitingSince: ColumnType<Date | null, undefined, Date | null>
    /** The transaction that created it, as in its event. */
    createdXid: ColumnType<string | null, never, never>
  }
  analyses: {
    id: string
    workspaceId: string
    app: string
    type: string
    status: WithDefault<'pending' | 'running' | 'completed' | 'failed'>
    startedBy: string
    createdAt: WithDefault<Date>
    endedAt: Date | null
    periodStart: Date
    periodEnd: Date
    leasedUntil: Date | null
    leasedBy: string | null
    attemptCount: WithDefault<number>
    tasksRead: WithDefault<number>
    tasksToRead: WithDefault<number>
    taskCount: WithDefault<number>
    isHealthy: boolean | null
    summary: WithDefault<string>
    recommendation: WithDefault<string>
    agentInstructions: WithDefault<string>
    result: NullableJson<AnalysisResult>
    analyst: string | null
    note: string | null
    message: WithDefault<string | null>
    error: string | null
  }
  rules: {
    id: string
    workspaceId: string
    name: string
    app: string
    type: string
    conditions: Json<RuleCondition[]>
    versions: string[] | null
    action: Json<Pick<Action, 'id' | 'title'>>
    data: NullableJson<Record<string, unknown>>
    actionsDigest: string
    sample: number
    until: Date
    allowedDisagreement: number
    state: WithDefault<RuleState>
    pausedBecause: WithDefault<PausedBecause | null>
    pausedAt: WithDefault<Date | null>
    pausedBy: WithDefault<string | null>
    generation: WithDefault<number>
    evidence: Json<Evidence>
    answered: WithDefault<number>
    agreed: WithDefault<number>
    createdBy: string
    createdAt: WithDefault<Date>
  }
  ruleVersions: {
    workspaceId: string
    ruleId: string
    version: string
    agreedInRow: WithDefault<number>
    passedAt: WithDefault<Date | null>
    firstSeenAt: WithDefault<Date>
  }
  ruleSamples: {
    workspaceId: string
    taskId: string
    ruleId: string
    kind: 'sample' | 'newVersion'
    generation: number
    drawnAt: Date
    judgedAt: WithDefault<Date | null>
    outcome: WithDefault<RuleDisagreement['outcome'] | null>
    agrees: WithDefault<boolean | null>
  }
  actionOutcomes: {
    workspaceId: string
    app: string
    type: string
    actionId: string
    outcome: Outcome
    /** The id of a user, so that nothing needs to be erased with the person. */
    setBy: string
    setAt: WithDefault<Date>
  }
  taskContents: {
    taskId: string
    workspaceId: string
    context: NullableJson<StoredContext>
    actions: Json<StoredAction[]>
    sent: NullableJson<SentOptions>
  }
  taskUpdates: {
    id: string
    workspaceId: string
    taskId: string
    threadId: string
    message: string
    level: 'info' | 'working' | 'warning' | 'error' | 'success'
    progress: number | null
    createdAt: WithDefault<Date>
    /** The question that it answers. */
    questionId: ColumnType<string | null, string | null | undefined, never>
    /** The revision that it created. */
    revision: ColumnType<number | null, number | null | undefined, never>
  }
  taskQuestions: {
    id: string
    workspaceId: string
    taskId: string
    threadId: string
    number: number
    kind: QuestionKind
    text: string
    askedBy: string
    askedById: string
    createdAt: WithDefault<Date>
    updateId: ColumnType<string | null, undefined, string>
  }
  taskNotes: {
    id: string
    workspaceId: string
    taskId: string
    threadId: string
    kind: NoteKind
    text: string
    assignedTo: string | null
    writtenBy: string
    writtenById: string
    createdAt: WithDefault<Date>
  }
  taskSteps: {
    workspaceId: string
    taskId: string
    threadId: string
    number: number
    kind: 'remind' | 'escalate'
    dueAt: Date
    isPaused: WithDefault<boolean>
    target: string | null
    raisePriority: WithDefault<boolean>
  }
  taskRevisions: {
    workspaceId: string
    taskId: string
    revision: number
    name: string
    description: string
    context: NullableJson<StoredContext>
    actions: Json<StoredAction[]>
    replacedAt: WithDefault<Date>
  }
  taskAnswers: {
    workspaceId: string
    taskId: string
    revision: number
    userId: string
    actionId: string
    actionTitle: string
    data: Json<Record<string, unknown>>
    digest: string
    answeredBy: string
    isVerified: boolean
    via: GivenAnswer['via']
    presented: NullableJson<Presented>
    edits: NullableJson<Edit[]>
    editLevel: EditLevel | null
    bulkId: string | null
    createdAt: WithDefault<Date>
  }
  taskSearch: { taskId: string; workspaceId: string; createdAt: Date; document: string }
  views: {
    workspaceId: string
    /** Empty: of everybody in the workspace. */
    userId: string
    views: Json<View[]>
  }
  snoozes: { workspaceId: string; taskId: string; threadId: string; userId: string; until: Date }
  claims: { taskId: string; workspaceId: string; userId: string; until: Date }
  drafts: {
    workspaceId: string
    taskId: string
    userId: string
    actionId: string
    data: Json<Record<string, unknown>>
    revision: WithDefault<number>
    updatedAt: WithDefault<Date>
  }
  idempotencyKeys: {
    workspaceId: string
    key: string
    requestHash: string
    /** The task, update or question that the first request created. */
    resultId: string
    createdAt: WithDefault<Date>
  }
  events: {
    id: Generated<string>
    epoch: WithDefault<number>
    xid: WithDefault<string>
    workspaceId: string
    eventId: string
    type: string
    taskId: string
    threadId: string
    body: Json<Record<string, unknown>>
    createdAt: WithDefault<Date>
  }
  erasures: { workspaceId: string; userId: string; dueAt: WithDefault<Date> }
  auditLog: {
    id: string
    workspaceId: string
    at: WithDefault<Date>
    actor: string
    action: string
    subject: string
    fromAddress: string | null
    details: NullableJson<Record<string, unknown>>
    seq: Generated<string | null>
    previous: Generated<string | null>
    digest: Generated<string | null>
  }
  auditHeads: {
    workspaceId: string
    seq: Generated<string>
    digest: string
    signature: Generated<string>
    at: WithDefault<Date>
    /** The head that was last written to the log, and when. */
    toldSeq: Generated<string>
    toldAt: WithDefault<Date>
  }
}

export type StoredAction = {
  id: string
  title: string
  description?: string
  schema?: Record<string, unknown>
  ui?: Record<string, unknown>
  outcome?: 'positive' | 'neutral' | 'negative'
}
