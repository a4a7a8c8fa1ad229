import type { Service } from './service.ts'

/**
 * For jobs: works on each row, and continues with the next one if the work on a row fails. Throws
 * if it fails for all rows. Once the signal is aborted, returns without an error.
 */
export async function forEachWorkspace<Row extends { workspaceId: string }>(
  { log }: Service,
  rows: Row[],
  failure: string,
  signal: AbortSignal,
  work: (row: Row) => Promise<void>,
): Promise<void> {
  let failed = 0
  for (const row of rows) {
    if (signal.aborted) return
    try {
      await work(row)
    } catch (error) {
      if (signal.aborted) return
      failed++
      log.error({ err: error, workspaceId: row.workspaceId }, failure)
    }
  }
  if (failed > 0 && failed === rows.length) throw new Error(`${failure} (${failed} of ${rows.length} rows)`)
}
