import { priorities } from '../../../contract/task-fields.ts'
import type { OpenTaskFigures } from '../../lib/metrics.ts'
import type { Database } from '../../storage/engine/database.ts'
import { measureOpenTasks } from '../../storage/tasks/open-figures.ts'

/** Figures about the tasks that wait for people, for metrics. */
export async function readOpenTasks(database: Database): Promise<OpenTaskFigures[]> {
  const rows = await measureOpenTasks(database)
  return rows.map((row) => ({ ...row, priority: priorities[row.priority]! }))
}
