import { limits } from '../../../contract/limits.ts'
import { type KeyPosition, pruneIdempotencyKeyPage } from '../../storage/tasks/idempotency.ts'
import type { Service } from '../service.ts'

const pageSize = 5_000

/**
 * Walks through all keys in pages, each in a short transaction, and deletes those that expired more
 * than an hour ago.
 */
export async function pruneIdempotencyKeys({ database }: Service, signal: AbortSignal): Promise<void> {
  let position: KeyPosition | undefined
  do {
    position = await pruneIdempotencyKeyPage(database, limits.idempotencyHours, position, pageSize)
  } while (position !== undefined && !signal.aborted)
}
