import type { Header, Part } from '../storage/backup/parts.ts'

/** `done` of `tables` tables are complete. `bytes` is the uncompressed size of the rows so far. */
export type Progress = { table: string; done: number; tables: number; rows: number; bytes: number }
export type ReportProgress = (progress: Progress) => void

/** Reports progress after every part. Rows are counted when their table is complete. */
export async function* withProgress(
  { tables }: Header,
  parts: AsyncIterable<Part>,
  onProgress: ReportProgress,
): AsyncGenerator<Part> {
  const progress: Progress = { table: '', done: 0, tables: tables.length, rows: 0, bytes: 0 }
  for await (const part of parts) {
    yield part
    if ('table' in part) progress.table = part.table
    else if ('rows' in part) progress.bytes += part.rows.length
    else if ('sum' in part) {
      progress.done += 1
      progress.rows += part.sum.rows
    }
    onProgress(progress)
  }
}
