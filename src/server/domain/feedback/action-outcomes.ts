import type { Outcome } from '../../../contract/action.ts'
import type {
  ActionOutcomes,
  ListActionOutcomes,
  SetActionOutcome,
} from '../../../contract/action-outcome.ts'
import { limits } from '../../../contract/limits.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import {
  countActionOutcomes,
  deleteActionOutcome,
  listActionOutcomes as listRows,
  lockActionOutcomes,
  type OutcomeFilters,
  saveActionOutcome,
} from '../../storage/feedback/action-outcomes.ts'
import type { AppAndType } from '../../storage/feedback/analyses.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import { conflict } from '../problems.ts'
import type { Service } from '../service.ts'

/**
 * The outcomes that admins set. All members may see them, because the statistics depend on them.
 */
export async function listActionOutcomes(
  { database }: Service,
  actor: PersonActor,
  { app = 'default', type }: ListActionOutcomes,
): Promise<ActionOutcomes> {
  return await database.inWorkspace(actor.workspaceId, (tx) => load(tx, { app, type }))
}

/**
 * Sets or removes the outcome of an action. It counts for all answers, also earlier ones, whose
 * sender did not declare an outcome. Answers whose content was deleted keep the outcome that they
 * have.
 */
export async function setActionOutcome(
  { database }: Service,
  actor: PersonActor,
  { app = 'default', type, actionId, outcome }: SetActionOutcome,
): Promise<ActionOutcomes> {
  requireRole(actor, 'admin')
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const key = { app, type, actionId }
    await lockActionOutcomes(tx)
    const before = (await listRows(tx, key)).find((row) => row.actionId === actionId)?.outcome ?? null
    if (outcome === before) return await load(tx, key)
    if (before === null) await requireBelowLimits(tx, key)
    if (outcome === null) await deleteActionOutcome(tx, key)
    else await saveActionOutcome(tx, { ...key, outcome, setBy: actor.id })
    await appendAudit(tx, {
      actor: actor.id,
      from: actor.from,
      action: outcome === null ? 'action_outcome.removed' : 'action_outcome.set',
      subject: tx.workspaceId,
      details: { ...key, outcome: outcome ?? before },
    })
    return await load(tx, key)
  })
}

async function requireBelowLimits(tx: Transaction, appAndType: AppAndType): Promise<void> {
  const { all, ofType } = await countActionOutcomes(tx, appAndType)
  if (ofType >= limits.actionOutcomesPerType)
    throw conflict(
      `At most ${limits.actionOutcomesPerType} actions of an app and type may have an outcome that an admin set. Remove one of these outcomes first.`,
    )
  if (all >= limits.actionOutcomes)
    throw conflict(
      `Admins may set the outcomes of at most ${limits.actionOutcomes} actions per workspace. Remove one of these outcomes first.`,
    )
}

async function load(tx: Transaction, { app, type }: AppAndType): Promise<ActionOutcomes> {
  const rows = await listRows(tx, { app, type })
  return {
    actionOutcomes: rows.map(({ actionId, outcome, setBy, setAt }) => ({
      actionId,
      outcome,
      ...(setBy !== null && { setBy }),
      setAt: setAt.toISOString(),
    })),
  }
}

/** The outcomes that admins set for the actions of one app and type, by the id of the action. */
export async function readOutcomesByAdmins(
  tx: Transaction,
  { app, type }: AppAndType,
): Promise<ReadonlyMap<string, Outcome>> {
  return new Map((await listRows(tx, { app, type })).map(({ actionId, outcome }) => [actionId, outcome]))
}

/**
 * Returns a function that finds the outcome that an admin set for the action of a task. `filters`
 * restrict which outcomes are read.
 */
export async function readAllOutcomesByAdmins(tx: Transaction, filters: OutcomeFilters = {}) {
  const keyOf = ({ app, type, actionId }: AppAndType & { actionId: string | null }) =>
    JSON.stringify([app, type, actionId])
  const outcomes = new Map((await listRows(tx, filters)).map((row) => [keyOf(row), row.outcome]))
  return (task: AppAndType & { actionId: string | null }): Outcome | undefined => outcomes.get(keyOf(task))
}
