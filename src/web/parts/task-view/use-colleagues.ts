import { groupPrefix } from '../../../contract/group-prefix.ts'
import { useGroups } from '../../lib/use-groups.ts'
import { useMembers } from '../../lib/use-members.ts'

const staleMilliseconds = 60_000

/** `value` is an email address or group:<slug>. */
export type Colleague = { value: string; name: string; detail: string }

/** The members and groups of the workspace, by name. Those that are loaded, while others are not. */
export function useColleagues() {
  const members = useMembers({ staleTime: staleMilliseconds })
  const groups = useGroups({ staleTime: staleMilliseconds })
  const colleagues: Colleague[] = [
    ...(members.data ?? []).map(({ email, name }) => ({ value: email, name, detail: email })),
    ...(groups.data ?? []).map(({ slug, name, members: { length } }) => ({
      value: `${groupPrefix}${slug}`,
      name,
      detail: length === 1 ? 'Group of 1 member' : `Group of ${length} members`,
    })),
  ].sort((a, b) => a.name.localeCompare(b.name))
  return {
    colleagues,
    isPending: members.isPending || groups.isPending,
    isFailed: members.isLoadingError || groups.isLoadingError,
  }
}

export function matchesName({ value, name }: Colleague, typed: string): boolean {
  const words = typed.toLowerCase().split(/\s+/)
  const text = `${name} ${value}`.toLowerCase()
  return words.every((word) => text.includes(word))
}
