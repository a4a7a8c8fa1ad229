import { type RawBuilder, sql } from 'kysely'
import { groupPrefix } from '../../../contract/group-prefix.ts'

/** SQL for the name of a group, such as group:finance. `groups` is what the query calls its table. */
export function groupName(groups: string): RawBuilder<string> {
  return sql<string>`${sql.lit(groupPrefix)} || ${sql.ref(`${groups}.slug`)}`
}

/**
 * SQL for the email address of a person or the name of a group; the id itself if it is no longer a
 * member or group.
 */
export function assigneeName(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce((SELECT email FROM users WHERE users.id = ${id}), (SELECT ${groupName('groups')} FROM groups WHERE groups.id = ${id}), ${id})`
}
