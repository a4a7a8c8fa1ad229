import { groupPrefix } from '../../../../contract/group-prefix.ts'
import { byName } from '../../../lib/by-name.ts'
import { pluralize } from '../../../lib/count.ts'
import { useGroups } from '../../../lib/use-groups.ts'
import { useMembers } from '../../../lib/use-members.ts'

const staleMilliseconds = 60_000

/** A member or a group. `value` is an email address or group:<slug>. */
export type Colleague = { value: string; name: string; detail: string }

/**
 * The members and groups of the workspace, sorted by name. While only one of the two lists is loaded,
 * only the entries of that list.
 */
export function useColleagues() {
  const members = useMembers({ staleTime: staleMilliseconds })
  const groups = useGroups({ staleTime: staleMilliseconds })
  const colleagues: Colleague[] = [
    ...(members.data ?? []).map(({ email, name }) => ({ value: email, name, detail: email })),
    ...(groups.data ?? []).map(({ slug, name, members: { length } }) => ({
      value: `${groupPrefix}${slug}`,
      name,
      detail: `Group of ${pluralize(length, 'member')}`,
    })),
  ].sort((a, b) => byName(a.name, b.name))
  return {
    colleagues,
    isPending: members.isPending || groups.isPending,
    isFailed: members.isLoadingError || groups.isLoadingError,
  }
}

/** Whether the name, the email address or the slug contains each word that was typed. */
export function matchesWords({ value, name }: Colleague, typed: string): boolean {
  const words = typed.toLowerCase().split(/\s+/)
  const text = `${name} ${value}`.toLowerCase()
  return words.every((word) => text.includes(word))
}
