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
    // Fails offline, instead of waiting: the sign-in page then says so.
    networkMode: 'always',
  })
}
