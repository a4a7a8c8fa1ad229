import { expect } from 'vitest'
import type { TestWorkspace } from './service.ts'
import { query } from './sql.ts'

/**
 * The cursor after the newest event. The log shows an event only once all older transactions of the
 * whole PostgreSQL have ended, including those of other databases, so a cursor that is read too
 * early is followed by older events.
 */
export async function settledEventCursor(databaseUrl: string, { owner }: TestWorkspace): Promise<string> {
  const isSettled =
    'SELECT coalesce(pg_snapshot_xmin(pg_current_snapshot())::text::bigint > max(xid), true) AS settled FROM events'
  await expect.poll(() => query(databaseUrl, isSettled)).toEqual([{ settled: true }])
  return (await owner.get('/inbox')).body.eventCursor
}
