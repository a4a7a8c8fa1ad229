import { deleteUnusedOAuthClients } from '../../storage/people/oauth-clients.ts'
import { deleteExpiredTokens } from '../../storage/people/oauth-grants.ts'
import type { Service } from '../service.ts'

const pageSize = 5_000
const unusedClientHours = 24

/** Deletes expired tokens and codes, and clients that nobody allowed access within a day. */
export async function clearUnusedOAuth({ database }: Service, signal: AbortSignal): Promise<void> {
  await deleteUnusedOAuthClients(database, unusedClientHours)
  while (!signal.aborted && (await deleteExpiredTokens(database, pageSize)) === pageSize);
}
