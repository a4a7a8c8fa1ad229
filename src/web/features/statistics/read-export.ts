import { problemFromResponse } from '../../../client/problem.ts'
import type { TaskExportFormat } from '../../../contract/export.ts'
import { exportTotalHeader } from '../../../contract/export-total-header.ts'
import { fetchInSession } from '../../lib/api.ts'

/**
 * How much of an export has been received. In the formats jsonl and csv, `read` and `total` count
 * tasks. In the formats preferences and edits, a task has any number of lines, so `read` counts
 * lines and there is no `total`.
 */
export type ExportProgress = { read: number; total?: number }

const quote = 0x22
const newline = 0x0a

/** Downloads the export, and counts its lines to report the progress. */
export async function readExport(
  url: string,
  format: TaskExportFormat,
  onProgress: (progress: ExportProgress) => void,
  signal: AbortSignal,
): Promise<{ name: string; blob: Blob }> {
  const response = await fetchInSession(url, { signal })
  if (!response.ok || !response.body) throw await problemFromResponse(response)
  const total = (format === 'jsonl' || format === 'csv') && {
    total: Number(response.headers.get(exportTotalHeader)),
  }
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  const parts: Uint8Array<ArrayBuffer>[] = []
  // Line breaks within quoted CSV fields do not count. The count of a CSV file starts at -1 to skip
  // the header.
  let read = format === 'csv' ? -1 : 0
  let isQuoted = false
  const reader = response.body.getReader()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) break
    parts.push(value)
    for (const byte of value) {
      if (byte === quote && format === 'csv') isQuoted = !isQuoted
      else if (byte === newline && !isQuoted) read++
    }
    onProgress({ read: Math.max(0, read), ...total })
  }
  const type = response.headers.get('content-type') ?? ''
  return { name: name ?? `handrail.${format}`, blob: new Blob(parts, { type }) }
}
