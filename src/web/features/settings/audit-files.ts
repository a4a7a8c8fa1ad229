import type { AuditEntry } from '../../../contract/workspace.ts'

const columns = ['auditId', 'at', 'actor', 'action', 'subject', 'from', 'details'] as const

export function auditJsonl(entries: AuditEntry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
}

/** As RFC 4180 has it. */
export function auditCsv(entries: AuditEntry[]): string {
  const lines = entries.map((entry) =>
    columns.map((column) => cell(column === 'details' ? jsonOf(entry.details) : (entry[column] ?? ''))),
  )
  return [columns, ...lines].map((line) => `${line.join(',')}\r\n`).join('')
}

function jsonOf(details: AuditEntry['details']): string {
  return details === undefined ? '' : JSON.stringify(details)
}

/** What begins like a formula gets a quote in front: spreadsheets would run it. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
