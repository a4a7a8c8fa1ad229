import { useQuery } from '@tanstack/react-query'
import { useHere } from '../../lib/person.ts'

export function useMembers() {
  const { workspaceId, api } = useHere()
  return useQuery({
    queryKey: ['members', workspaceId],
    queryFn: async ({ signal }) => (await api.members(signal)).members,
  })
}
