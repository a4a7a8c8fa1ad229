import { problemFromResponse } from '../../../client/problem.ts'
import type { TaskExportFormat } from '../../../contract/export.ts'
import { fetchInSession } from '../../lib/api.ts'

/**
 * Tasks received so far. Without a total for preferences and edits, where a task yields any number of lines.
 */
export type Progress = { format: TaskExportFormat; read: number; total?: number }

const totalHeader = 'handrail-export-total'
const quote = 0x22
const newline = 0x0a

/** Streams the export and counts its lines to report progress. */
export async function readExport(
  url: string,
  format: TaskExportFormat,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<{ name: string; blob: Blob }> {
  const response = await fetchInSession(url, { signal })
  if (!response.ok || !response.body) throw await problemFromResponse(response)
  const total = (format === 'jsonl' || format === 'csv') && {
    total: Number(response.headers.get(totalHeader)),
  }
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  const parts: Uint8Array<ArrayBuffer>[] = []
  // Quoted CSV fields may contain line breaks. The count starts at -1 to skip the header.
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
    onProgress({ format, read: Math.max(0, read), ...total })
  }
  const type = response.headers.get('content-type') ?? ''
  return { name: name ?? `handrail.${format}`, blob: new Blob(parts, { type }) }
}
