import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { groupPrefix } from '../../contract/group-prefix.ts'
import { staleMilliseconds, useGroups } from './use-groups.ts'
import { useWorkspace } from './workspace.ts'

export function useMembers({ staleTime = 0 } = {}) {
  const { workspaceId, api } = useWorkspace()
  return useQuery({
    queryKey: ['members', workspaceId],
    queryFn: async ({ signal }) => (await api.members(signal)).members,
    staleTime,
  })
}

/**
 * Returns the name of a member (by email address) or a group (by `group:<slug>`), if there is one
 * and it is loaded.
 */
export type NameOf = (who: string) => string | undefined

export function useNameOf(): NameOf {
  const { data: members = [] } = useMembers({ staleTime: staleMilliseconds })
  const { data: groups = [] } = useGroups({ staleTime: staleMilliseconds })
  return useMemo(() => {
    const names = new Map([
      ...members.map(({ email, name }) => [email, name] as const),
      ...groups.map(({ slug, name }) => [`${groupPrefix}${slug}`, name] as const),
    ])
    return (who) => names.get(who)
  }, [members, groups])
}
