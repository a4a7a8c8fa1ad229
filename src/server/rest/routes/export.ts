import { ExportTasks, exportTotalHeader } from '../../../contract/export.ts'
import { exportTasks } from '../../domain/feedback/export-tasks.ts'
import { download } from '../download.ts'
import { defineRoute } from '../route.ts'

export const exportRoutes = [
  defineRoute({
    method: 'get',
    path: '/export',
    who: 'member',
    role: 'admin',
    summary:
      'Handled tasks as a file, oldest first: whole as JSON lines, for spreadsheets as CSV, or comparisons as preference pairs.',
    query: ExportTasks,
    answers: { 200: 'download' },
    async handle(service, { actor, query, hold }) {
      const file = await exportTasks(service, actor, query)
      return download(file, { [exportTotalHeader]: String(file.total) }, hold())
    },
  }),
]
