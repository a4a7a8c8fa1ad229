import type { Service } from './service.ts'

/** For jobs: if the work for one row fails, the other workspaces still get theirs. Throws if it fails for all of them. */
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
  if (failed > 0 && failed === rows.length) throw new Error(`${failure}, in each of ${failed} attempts`)
}
