import { useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { MemberClient } from '../../client/member.ts'
import type { Me } from '../../contract/workspace.ts'
import { api } from './api.ts'

type SignedInPerson = Extract<Me, { kind: 'person' }>

/** The signed-in person and their workspaces. */
export function useMe() {
  return useQuery({
    queryKey: ['me'],
    queryFn: async ({ signal }) => {
      const me = await api.me(signal)
      if (me.kind !== 'person') throw new Error('Expected a person')
      return me
    },
    staleTime: 60_000,
  })
}

type WorkspaceSession = { me: SignedInPerson; workspaceId: string; api: MemberClient }
export const WorkspaceContext = createContext<WorkspaceSession | undefined>(undefined)

/** The signed-in person, the current workspace and its API client. */
export function useWorkspace(): WorkspaceSession {
  const session = use(WorkspaceContext)
  if (!session) throw new Error('No workspace is open')
  return session
}
