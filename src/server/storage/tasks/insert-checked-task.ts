import { limits } from '../../../contract/limits.ts'
import { createBatcher } from '../engine/batcher.ts'
import type { Database, Transaction } from '../engine/database.ts'
import { perDatabase } from '../engine/per-database.ts'
import { findIdsByName, lockAssignees } from '../review/groups.ts'
import { claimIdempotencyKeys, type KeyClaim, releaseIdempotencyKeys } from './idempotency.ts'
import { type InsertResult, insertBatchLimits, insertTasks, type NewTask, weighTask } from './insert-task.ts'

/** A task whose idempotency key or assignee has to be looked up before it is inserted. */
export type CheckedTask = {
  task: NewTask
  idempotency: { key: string; requestHash: string } | undefined
  assignTo: string | undefined
}

/** `earlier`: the idempotency key was used before, by the same request or by a different one. */
export type CheckedInsert =
  | { kind: InsertResult | 'unknown-assignee' }
  | { kind: 'earlier'; earlier: KeyClaim }

/** Inserts a task, in one transaction with other such tasks of its workspace that arrive at the same time. */
export function insertCheckedTask(
  database: Database,
  workspaceId: string,
  item: CheckedTask,
): Promise<CheckedInsert> {
  // Collected by the batcher, which calls insertCheckedTasks (below).
  return checkedInsertBatcher(database)(workspaceId, item)
}

const checkedInsertBatcher = perDatabase((database) =>
  createBatcher<CheckedTask, CheckedInsert>({
    send: (workspaceId, items) => database.inWorkspace(workspaceId, (tx) => insertCheckedTasks(tx, items)),
    ...insertBatchLimits,
    weigh: ({ task }) => weighTask(task),
  }),
)

type Results = Map<CheckedTask, CheckedInsert>

async function insertCheckedTasks(tx: Transaction, items: CheckedTask[]): Promise<CheckedInsert[]> {
  const results: Results = new Map()
  await insertInOrder(tx, items, results)
  return items.map((item) => results.get(item)!)
}

/**
 * Tasks with the same key are inserted one after the other, because the result of the first decides
 * whether the next one is inserted.
 */
async function insertInOrder(tx: Transaction, items: CheckedTask[], results: Results): Promise<void> {
  const keys = new Set<string>()
  const first: CheckedTask[] = []
  const repeated: CheckedTask[] = []
  for (const item of items) {
    const key = item.idempotency?.key
    if (key !== undefined && keys.has(key)) repeated.push(item)
    else first.push(item)
    if (key !== undefined) keys.add(key)
  }
  await insertDistinct(tx, first, results)
  if (repeated.length > 0) await insertInOrder(tx, repeated, results)
}

async function insertDistinct(tx: Transaction, items: CheckedTask[], results: Results): Promise<void> {
  const claims = items.flatMap(({ task, idempotency }) =>
    idempotency ? [{ ...idempotency, resultId: task.id }] : [],
  )
  const taken = await claimIdempotencyKeys(tx, claims, limits.idempotencyHours)
  const newItems = items.filter((item) => {
    const earlier = item.idempotency && taken.get(item.idempotency.key)
    if (earlier) results.set(item, { kind: 'earlier', earlier })
    return !earlier
  })
  const names = new Set(newItems.flatMap(({ assignTo }) => assignTo ?? []))
  const assignees = await findIdsByName(tx, [...names])
  const locked = await lockAssignees(tx, [...assignees.values()])
  const accepted = new Map<CheckedTask, NewTask>()
  const unusedKeys: string[] = []
  for (const item of newItems) {
    const { task, assignTo, idempotency } = item
    const assignedTo = assignTo === undefined ? undefined : assignees.get(assignTo)
    const isKnown = assignTo === undefined || (assignedTo !== undefined && locked.has(assignedTo))
    if (isKnown) {
      accepted.set(item, { ...task, assignedTo })
      continue
    }
    results.set(item, { kind: 'unknown-assignee' })
    if (idempotency) unusedKeys.push(idempotency.key)
  }
  const kinds = accepted.size > 0 ? await insertTasks(tx, [...accepted.values()]) : []
  for (const [index, item] of [...accepted.keys()].entries()) {
    const kind = kinds[index]!
    results.set(item, { kind })
    if (kind === 'outdated' && item.idempotency) unusedKeys.push(item.idempotency.key)
  }
  await releaseIdempotencyKeys(tx, unusedKeys)
}
