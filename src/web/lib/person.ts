import { useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { MemberClient } from '../../client/member.ts'
import type { Me } from '../../contract/workspace.ts'
import { api } from './api.ts'

type Person = Extract<Me, { kind: 'person' }>

export function useMe() {
  return useQuery({
    queryKey: ['me'],
    queryFn: async ({ signal }) => {
      const me = await api.me(signal)
      if (me.kind !== 'person') throw new Error('The page needs a person, but a key answered.')
      return me
    },
    staleTime: 60_000,
  })
}

type Here = { me: Person; workspaceId: string; api: MemberClient }
export const HereContext = createContext<Here | undefined>(undefined)

/** Who is here, in which workspace. */
export function useHere(): Here {
  const here = use(HereContext)
  if (!here) throw new Error('useHere belongs inside a workspace.')
  return here
}
