import { groupPrefix } from '../../../contract/group-prefix.ts'
import { pathTo, type Violation } from '../../../contract/violation.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { findIdsByName } from '../../storage/review/groups.ts'

/**
 * The ids of members and groups, from lists of email addresses and group:<slug>. An unknown name is
 * an error at its path.
 */
export async function resolveReviewers(
  tx: Transaction,
  lists: Record<string, string[] | undefined>,
): Promise<{ ids: Record<string, string[] | undefined>; errors: Violation[] }> {
  const names = [...new Set(Object.values(lists).flatMap((list) => list ?? []))]
  const known = await findIdsByName(tx, names)
  const errors: Violation[] = []
  const ids: Record<string, string[] | undefined> = {}
  for (const [path, list] of Object.entries(lists)) {
    for (const [index, name] of (list ?? []).entries())
      if (!known.has(name)) errors.push({ path: pathTo(path, index), message: unknownReviewer(name) })
    ids[path] = list?.flatMap((name) => known.get(name) ?? [])
  }
  return { ids, errors }
}

function unknownReviewer(name: string): string {
  return name.startsWith(groupPrefix)
    ? 'There is no such group in this workspace.'
    : 'Must be the email address of a member of this workspace.'
}
