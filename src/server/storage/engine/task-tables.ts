import type { ColumnType } from 'kysely'
import type { Outcome } from '../../../contract/action.ts'
import type { SentOptions } from '../../../contract/create-task.ts'
import type { Edit } from '../../../contract/edits/edit.ts'
import type { EditLevel } from '../../../contract/edits/word-diff.ts'
import type { NoteKind } from '../../../contract/note.ts'
import type { QuestionKind } from '../../../contract/question.ts'
import type { GivenAnswer, OnDecline } from '../../../contract/review.ts'
import type { DecidedBy, Presented, Via } from '../../../contract/task-answer.ts'
import type { View } from '../../../contract/view.ts'
import type { Json, NullableJson, WithDefault } from './column-types.ts'

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
  /**
   * The people behind the task: who created it, or received a secret of the API key that created
   * it. Missing in tasks that are older than `escalatedTo`, until such a task is escalated.
   */
  behind?: string[]
  /** To whom the task was escalated. They may answer too, except the people behind it. */
  escalatedTo?: string[]
  needed: number
  onDecline: OnDecline
}

export type StoredAction = {
  id: string
  title: string
  description?: string
  schema?: Record<string, unknown>
  ui?: Record<string, unknown>
  outcome?: Outcome
}

/** Tasks, everything that belongs to one, and how people see them. */
export interface TaskTables {
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
    /**
     * Whether events of the task go to MCP sessions, as deliveries of kind sse. Deliveries of kind
     * push are something else: web push messages.
     */
    push: WithDefault<boolean>
    onExpire: NullableJson<{ actionId: string; data: Record<string, unknown> }>
    contentDeletedAt: ColumnType<Date | null, never, Date>
    revision: WithDefault<number>
    acceptsQuestions: WithDefault<boolean>
    questionCount: WithDefault<number>
    openQuestionCount: WithDefault<number>
    /** The question that the inbox shows: the newest one without a reply, or else the last one with. */
    latestQuestionId: ColumnType<string | null, undefined, string>
    /** While the task is open: until when it waits for the agent. Null: it waits for people. */
    agentDueAt: ColumnType<Date | null, undefined, Date | null>
    review: ColumnType<StoredReview | null, string | null | undefined, string>
    answerCount: WithDefault<number>
    answerBy: ColumnType<Date | null, undefined, Date | null>
    /** Since when the task waits for the agent. Stays set if the task ends while it waits. */
    waitingSince: ColumnType<Date | null, undefined, Date | null>
    /** The id of the transaction that created the task, as in the creation event. */
    createdXid: ColumnType<string | null, never, never>
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
    /** The question to which the update replies. */
    questionId: ColumnType<string | null, string | null | undefined, never>
    /** The revision that the update created. */
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
    /** Empty: the views are shared with the whole workspace. */
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
}
