import type { Service } from './service.ts'

/** For jobs: if the work for one row fails, the other workspaces still get theirs. Returns how many succeeded. */
export async function forEachWorkspace<Row extends { workspaceId: string }>(
  { log }: Service,
  rows: Row[],
  failure: string,
  work: (row: Row) => Promise<void>,
): Promise<number> {
  let succeeded = 0
  for (const row of rows) {
    try {
      await work(row)
      succeeded++
    } catch (error) {
      log.error({ err: error, workspaceId: row.workspaceId }, failure)
    }
  }
  return succeeded
}
