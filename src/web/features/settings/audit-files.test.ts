import { expect, test } from 'vitest'
import type { AuditEntry } from '../../../contract/workspace.ts'
import { auditCsv, auditJsonl } from './audit-files.ts'

const entry: AuditEntry = {
  auditId: 'aud_1',
  at: '2026-11-15T09:30:00.000Z',
  actor: 'usr_1',
  action: 'workspace.renamed',
  subject: '=HYPERLINK("x")',
  details: { name: 'Fjord, "Fell"' },
}

test('a table holds one line an entry, quotes what needs quotes, and runs nothing in a spreadsheet', () => {
  expect(auditCsv([entry])).toBe(
    'auditId,at,actor,action,subject,from,details\r\n' +
      'aud_1,2026-11-15T09:30:00.000Z,usr_1,workspace.renamed,"\'=HYPERLINK(""x"")",,"{""name"":""Fjord, \\""Fell\\""""}"\r\n',
  )
})

test('lines of JSON come back as they were', () => {
  const lines = auditJsonl([entry, { ...entry, auditId: 'aud_2' }])
    .trimEnd()
    .split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([entry, { ...entry, auditId: 'aud_2' }])
})
