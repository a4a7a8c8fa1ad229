import { sql } from 'kysely'
import type { Database } from '../engine/database.ts'

export type OpenFigures = {
  workspaceId: string
  priority: number
  open: number
  late: number
  oldestSeconds: number
}

/** Tasks that wait for people, per workspace and priority. Workspaces without any are left out. */
export async function measureOpenTasks(database: Database): Promise<OpenFigures[]> {
  return await database.allWorkspaces(async (db) => {
    const { rows } = await sql<OpenFigures>`
      SELECT workspace_id, priority, count(*)::integer AS open, count(*) FILTER (WHERE answer_by <= app_now())::integer AS late,
        extract(epoch FROM app_now() - min(created_at))::double precision AS oldest_seconds
      FROM tasks WHERE status = 'open' AND agent_due_at IS NULL GROUP BY workspace_id, priority`.execute(db)
    return rows
  })
}
