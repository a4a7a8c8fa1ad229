import { limits } from '../../../contract/limits.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { claimIdempotencyKeys } from '../../storage/tasks/idempotency.ts'
import { DomainProblem } from '../problems.ts'
import { hashRequest } from './hash-request.ts'

type KeyedRequest = { idempotencyKey?: string | undefined } & Record<string, unknown>

/**
 * Claims the key of a request for the result it is about to create. If the same request was sent
 * before, returns the id of its result. Rolling back the transaction releases the key.
 */
export async function claimIdempotencyKey(
  tx: Transaction,
  request: KeyedRequest,
  resultId: string,
): Promise<string | undefined> {
  const key = request.idempotencyKey
  if (key === undefined) return undefined
  const requestHash = await hashRequest(request)
  const taken = await claimIdempotencyKeys(tx, [{ key, requestHash, resultId }], limits.idempotencyHours)
  const earlier = taken.get(key)
  if (earlier && earlier.requestHash !== requestHash) throw idempotencyConflict()
  return earlier?.resultId
}

export function idempotencyConflict(): DomainProblem {
  return new DomainProblem(
    'idempotency_conflict',
    'This idempotency key was used with different arguments. Send the same arguments, or a new key in "idempotencyKey".',
  )
}
