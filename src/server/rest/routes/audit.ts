import { AuditPage, AuditVerdict, ExportAudit, ListAudit } from '../../../contract/audit.ts'
import { exportAudit } from '../../domain/audit/export-audit.ts'
import { listAudit } from '../../domain/audit/list-audit.ts'
import { verifyAudit } from '../../domain/audit/verify-audit.ts'
import { download } from '../download.ts'
import { defineRoute } from '../route.ts'

export const auditRoutes = [
  defineRoute({
    method: 'get',
    path: '/audit',
    who: 'member',
    role: 'admin',
    summary: 'Who changed what, when and from where, newest first.',
    query: ListAudit,
    answers: { 200: AuditPage },
    async handle(service, { actor, query }) {
      return { status: 200, body: await listAudit(service, actor, query) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/audit/verify',
    who: 'member',
    role: 'admin',
    summary:
      'Whether every entry of the audit is there and as it was written. Reads all of them, so a long audit takes its time.',
    answers: { 200: AuditVerdict },
    async handle(service, { actor, signal }) {
      return { status: 200, body: await verifyAudit(service, actor, signal) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/audit/export',
    who: 'member',
    role: 'admin',
    summary: 'The audit as a file, oldest first: as JSON lines that can be verified elsewhere, or as CSV.',
    query: ExportAudit,
    answers: { 200: 'download' },
    async handle(service, { actor, query, hold }) {
      return download(await exportAudit(service, actor, query), {}, hold())
    },
  }),
]
