import type { Generated } from 'kysely'
import type { Json, NullableJson, WithDefault } from './column-types.ts'
import type { CredentialTables } from './credential-tables.ts'
import type { FeedbackTables } from './feedback-tables.ts'
import type { NotificationTables } from './notification-tables.ts'
import type { RuleTables } from './rule-tables.ts'
import type { TaskTables } from './task-tables.ts'
import type { WorkspaceTables } from './workspace-tables.ts'

// Column names are camelCase here and snake_case in SQL (Kysely's CamelCasePlugin).

/**
 * The tables and columns that queries built with Kysely name. Other tables, such as roll-ups, occur
 * only in SQL texts.
 */
export interface Schema
  extends CredentialTables,
    FeedbackTables,
    NotificationTables,
    RuleTables,
    TaskTables,
    WorkspaceTables {
  serviceFacts: { name: string; value: string }
  idempotencyKeys: {
    workspaceId: string
    key: string
    requestHash: string
    /** The task, update, question or note that the first request created. */
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
    /** The head that was last written to the service's log, and when. */
    loggedSeq: Generated<string>
    loggedAt: WithDefault<Date>
  }
}
