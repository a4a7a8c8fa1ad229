import { groupPrefix } from '../../../contract/group-prefix.ts'
import { pathTo, type Violation } from '../../../contract/violation.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { findIdsByName } from '../../storage/review/groups.ts'

/**
 * Resolves lists of names, which are email addresses of members and group:<slug>, to lists of ids.
 * The key of a list is its path in the request: an unknown name is an error at that path.
 */
export async function resolveNames(
  tx: Transaction,
  lists: Record<string, string[] | undefined>,
): Promise<{ ids: Record<string, string[] | undefined>; errors: Violation[] }> {
  const names = [...new Set(Object.values(lists).flatMap((list) => list ?? []))]
  const known = await findIdsByName(tx, names)
  const errors: Violation[] = []
  const ids: Record<string, string[] | undefined> = {}
  for (const [path, list] of Object.entries(lists)) {
    for (const [index, name] of (list ?? []).entries())
      if (!known.has(name)) errors.push({ path: pathTo(path, index), message: unknownName(name) })
    ids[path] = list?.flatMap((name) => known.get(name) ?? [])
  }
  return { ids, errors }
}

function unknownName(name: string): string {
  return name.startsWith(groupPrefix)
    ? 'There is no such group in this workspace.'
    : 'Must be the email address of a member of this workspace.'
}
