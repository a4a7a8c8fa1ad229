import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { MemberClient } from '../../client/member.ts'
import { groupPrefix } from '../../contract/group-prefix.ts'
import { useWorkspace } from './workspace.ts'

/** For names and memberships, which rarely change. */
export const staleMilliseconds = 5 * 60_000

export function groupsQuery(api: MemberClient, workspaceId: string, staleTime: number) {
  return queryOptions({
    queryKey: ['groups', workspaceId],
    queryFn: async ({ signal }) => (await api.groups(signal)).groups,
    staleTime,
  })
}

export function useGroups({ staleTime = 0 } = {}) {
  const { workspaceId, api } = useWorkspace()
  return useQuery(groupsQuery(api, workspaceId, staleTime))
}

/** Assignees that include this person: their address, then `group:<slug>` for each of their groups. */
export function useMyAssignees(): string[] {
  const { me } = useWorkspace()
  const { data } = useGroups({ staleTime: staleMilliseconds })
  const { email } = me.person
  return useMemo(
    () => [
      email,
      ...(data ?? [])
        .filter(({ members }) => members.includes(email))
        .map(({ slug }) => `${groupPrefix}${slug}`),
    ],
    [data, email],
  )
}
