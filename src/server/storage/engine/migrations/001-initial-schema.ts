import { type Kysely, sql } from 'kysely'
import { audit, deliveries, events } from './initial-schema/events.ts'
import { feedback } from './initial-schema/feedback.ts'
import { mcpSessions } from './initial-schema/mcp-sessions.ts'
import { people, workspaces } from './initial-schema/people.ts'
import { service } from './initial-schema/service.ts'
import { inbox, taskDetails, tasks } from './initial-schema/tasks.ts'

// Columns used in conditions are text with CHECK, not enums: under row-level security only
// leakproof operators can use an index, and enum comparison is not leakproof. Priority and rank are
// numbers (0 urgent … 3 low), so that every sort order is ascending. Payloads are json, not jsonb,
// to keep keys in the order in which they were sent. Policies, grants and functions that depend on
// them are in start-up-sql/. Comments in migrations describe the schema at that step.

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statements of [
    ...[service, people, workspaces, tasks, taskDetails, inbox, events],
    ...[deliveries, audit, feedback, mcpSessions],
  ])
    await sql.raw(statements).execute(db)
}
