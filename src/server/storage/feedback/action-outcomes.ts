import { sql } from 'kysely'
import type { Outcome } from '../../../contract/action.ts'
import type { Transaction } from '../engine/database.ts'
import type { AppAndType } from './analyses.ts'

type ActionKey = AppAndType & { actionId: string }
export type OutcomeFilters = { app?: string | undefined; type?: string | undefined }

/** The outcomes that admins set for actions of the apps and types that match the filters. */
export function listActionOutcomes(tx: Transaction, { app, type }: OutcomeFilters = {}) {
  let query = tx.db
    .selectFrom('actionOutcomes')
    // Row-level security hides the addresses of former members.
    .leftJoin('users', 'users.id', 'actionOutcomes.setBy')
    .select(['app', 'type', 'actionId', 'outcome', 'users.email as setBy', 'setAt'])
    .where('workspaceId', '=', tx.workspaceId)
  if (app !== undefined) query = query.where('app', '=', app)
  if (type !== undefined) query = query.where('type', '=', type)
  return query.orderBy('app').orderBy('type').orderBy('actionId').execute()
}

/** Serializes changes to the outcomes of a workspace, so that their number stays limited. */
export async function lockActionOutcomes({ db, workspaceId }: Transaction): Promise<void> {
  await sql`
    SELECT pg_advisory_xact_lock(hashtextextended(${`action outcomes ${workspaceId}`}, 0))`.execute(db)
}

/**
 * How many actions have an outcome that an admin set: in the workspace, and of the app and type.
 */
export async function countActionOutcomes(
  { db, workspaceId }: Transaction,
  { app, type }: AppAndType,
): Promise<{ all: number; ofType: number }> {
  const { rows } = await sql<{ all: number; ofType: number }>`
    SELECT count(*)::int AS all, count(*) FILTER (WHERE app = ${app} AND type = ${type})::int AS of_type
    FROM action_outcomes WHERE workspace_id = ${workspaceId}`.execute(db)
  return rows[0]!
}

export async function saveActionOutcome(
  tx: Transaction,
  values: ActionKey & { outcome: Outcome; setBy: string },
): Promise<void> {
  const { outcome, setBy } = values
  await tx.db
    .insertInto('actionOutcomes')
    .values({ workspaceId: tx.workspaceId, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['workspaceId', 'app', 'type', 'actionId'])
        .doUpdateSet({ outcome, setBy, setAt: sql<Date>`app_now()` }),
    )
    .execute()
}

export async function deleteActionOutcome(
  tx: Transaction,
  { app, type, actionId }: ActionKey,
): Promise<void> {
  await tx.db
    .deleteFrom('actionOutcomes')
    .where('workspaceId', '=', tx.workspaceId)
    .where('app', '=', app)
    .where('type', '=', type)
    .where('actionId', '=', actionId)
    .execute()
}
