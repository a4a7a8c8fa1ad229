import { sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'
import { runPrepared } from '../engine/prepared-query.ts'

export type MemberWithGroups = { userId: string; role: string; isVerified: boolean; groups: string[] }

export function listMembersWithGroups(tx: Transaction): Promise<MemberWithGroups[]> {
  const query = sql<MemberWithGroups>`
    SELECT m.user_id, m.role, u.email_verified AS is_verified, ARRAY(
      SELECT g.group_id FROM group_members g WHERE g.workspace_id = ${tx.workspaceId} AND g.user_id = m.user_id) AS groups
    FROM members m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = ${tx.workspaceId}`
  return runPrepared(tx, query)
}
