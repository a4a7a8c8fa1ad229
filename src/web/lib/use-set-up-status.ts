import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

/** Whether an owner exists, whether password resets are sent by email, and how people sign in. Needs no session. */
export function useSetUpStatus() {
  return useQuery({ queryKey: ['set-up-status'], queryFn: () => api.setUpNeeded(), retry: false })
}
