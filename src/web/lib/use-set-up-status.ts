import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

/**
 * Whether the service still needs its first owner, and how people sign in and reset passwords.
 * Needs no session.
 */
export function useSetUpStatus() {
  return useQuery({
    queryKey: ['set-up-status'],
    queryFn: () => api.setUpNeeded(),
    retry: false,
    // Without a connection, the query fails instead of waiting for one, and the sign-in page says so.
    networkMode: 'always',
  })
}
