import type { Header, Part } from '../storage/backup/parts.ts'

/**
 * `done` of `tables` tables are complete, and have `rows` rows. `bytes` is the uncompressed size of
 * all data that was passed on, including that of the incomplete `table`.
 */
export type Progress = { table: string; done: number; tables: number; rows: number; bytes: number }
export type ReportProgress = (progress: Progress) => void

/** Yields the parts, and reports progress after each. */
export async function* withProgress(
  { tables }: Header,
  parts: AsyncIterable<Part>,
  onProgress: ReportProgress,
): AsyncGenerator<Part> {
  const progress: Progress = { table: '', done: 0, tables: tables.length, rows: 0, bytes: 0 }
  for await (const part of parts) {
    yield part
    if ('table' in part) progress.table = part.table
    else if ('data' in part) progress.bytes += part.data.length
    else if ('sum' in part) {
      progress.done += 1
      progress.rows += part.sum.rows
    }
    onProgress(progress)
  }
}
