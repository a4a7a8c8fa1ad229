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
    operationId: 'audit',
    who: 'member',
    role: 'admin',
    summary: 'List audit entries, newest first: who changed what, when and from where.',
    query: ListAudit,
    responses: { 200: AuditPage },
    async handle(service, { actor, query }) {
      return { status: 200, body: await listAudit(service, actor, query) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/audit/verify',
    operationId: 'verifyAudit',
    who: 'member',
    role: 'admin',
    summary:
      'Verify that no audit entry is missing, was changed or was added afterwards. Reads all entries, so a long audit log takes a while.',
    responses: { 200: AuditVerdict },
    async handle(service, { actor, signal }) {
      return { status: 200, body: await verifyAudit(service, actor, signal) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/audit/export',
    operationId: 'exportAudit',
    who: 'member',
    role: 'admin',
    summary: 'Download the audit log, oldest first: as JSON lines that can be verified elsewhere, or as CSV.',
    query: ExportAudit,
    responses: { 200: 'download' },
    async handle(service, request) {
      return download(service.log, request, await exportAudit(service, request.actor, request.query))
    },
  }),
]
