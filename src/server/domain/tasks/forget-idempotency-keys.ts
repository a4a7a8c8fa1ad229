import { limits } from '../../../contract/limits.ts'
import { forgetKeys, type KeyPlace } from '../../storage/tasks/idempotency.ts'
import type { Service } from '../service.ts'

const page = 5_000

/** Page by page through all of them, each its own short transaction. */
export async function forgetIdempotencyKeys({ database }: Service, signal: AbortSignal): Promise<void> {
  let place: KeyPlace | undefined
  do {
    place = await forgetKeys(database, limits.idempotencyHours, place, page)
  } while (place !== undefined && !signal.aborted)
}
