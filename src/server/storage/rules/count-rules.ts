import { sql } from 'kysely'
import type { RuleCount } from '../../lib/metrics.ts'
import type { Database } from '../engine/database.ts'

/**
 * The numbers of active and of paused rules per workspace. Workspaces without such rules are left
 * out.
 */
export async function countRulesByState(database: Database): Promise<RuleCount[]> {
  return await database.allWorkspaces(async (db) => {
    const { rows } = await sql<RuleCount>`
      SELECT workspace_id, state, count(*)::integer AS rules FROM rules WHERE state <> 'ended'
      GROUP BY workspace_id, state`.execute(db)
    return rows
  })
}
