import { ExportTasks } from '../../../contract/export.ts'
import { exportTotalHeader } from '../../../contract/export-total-header.ts'
import { exportTasks } from '../../domain/feedback/export-tasks.ts'
import { download } from '../download.ts'
import { defineRoute } from '../route.ts'

export const exportRoutes = [
  defineRoute({
    method: 'get',
    path: '/export',
    operationId: 'exportTasks',
    who: 'member',
    role: 'admin',
    summary:
      'Download handled tasks, oldest first, in one of these formats: JSON lines, CSV, preference pairs of comparisons, or the values of a prefilled field before and after a person changed it. Or download the cases of an analysis: pairs of similar tasks, one with a negative and one with a positive answer.',
    query: ExportTasks,
    responses: { 200: 'download' },
    async handle(service, request) {
      const file = await exportTasks(service, request.actor, request.query)
      return download(service.log, request, file, { [exportTotalHeader]: String(file.total) })
    },
  }),
]
