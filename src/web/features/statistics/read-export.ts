import { problemFromResponse } from '../../../client/problem.ts'
import type { TaskExportFormat } from '../../../contract/export.ts'
import { exportTotalHeader } from '../../../contract/export-total-header.ts'
import { fetchInSession } from '../../lib/api.ts'

/**
 * What has been received so far. With jsonl and csv, `read` and `total` count tasks. With
 * preferences and edits, a task yields any number of lines: `read` counts lines, and the total is
 * unknown.
 */
export type Progress = { read: number; total?: number }

const quote = 0x22
const newline = 0x0a

/** Downloads the export and reports its progress, for which it counts lines. */
export async function readExport(
  url: string,
  format: TaskExportFormat,
  onProgress: (progress: Progress) => void,
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
