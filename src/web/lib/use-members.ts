import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useWorkspace } from './workspace.ts'

const staleMilliseconds = 5 * 60_000

export function useMembers({ staleTime = 0 } = {}) {
  const { workspaceId, api } = useWorkspace()
  return useQuery({
    queryKey: ['members', workspaceId],
    queryFn: async ({ signal }) => (await api.members(signal)).members,
    staleTime,
  })
}

export type NameOf = (email: string) => string | undefined

/** Member name by email; undefined if not a member or not loaded yet. */
export function useNameOf(): NameOf {
  const { data } = useMembers({ staleTime: staleMilliseconds })
  return useMemo(() => {
    const names = new Map(data?.map(({ email, name }) => [email, name]))
    return (email) => names.get(email)
  }, [data])
}
