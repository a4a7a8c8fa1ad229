import { problemOf } from '../../../client/problem.ts'
import type { ExportFormat } from '../../../contract/export.ts'

/** Of how many tasks how many have come. No total where a task may give any number of lines. */
export type Progress = { format: ExportFormat; read: number; total?: number }

const totalHeader = 'handrail-export-total'
const quote = 0x22
const newline = 0x0a

/** The file as it comes; lines are counted on the way. */
export async function readExport(
  url: string,
  format: ExportFormat,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<{ name: string; blob: Blob }> {
  const response = await fetch(url, { signal })
  if (!response.ok || !response.body) throw await problemOf(response)
  const known = format !== 'preferences' && { total: Number(response.headers.get(totalHeader)) }
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  const parts: Uint8Array<ArrayBuffer>[] = []
  // A line of CSV may hold ends of lines, between quotes; the first is its head.
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
    onProgress({ format, read: Math.max(0, read), ...known })
  }
  const type = response.headers.get('content-type') ?? ''
  return { name: name ?? `handrail.${format}`, blob: new Blob(parts, { type }) }
}
