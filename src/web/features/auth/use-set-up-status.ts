import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'

/** Whether an owner exists and whether password resets are sent by email. Needs no session. */
export function useSetUpStatus() {
  return useQuery({ queryKey: ['set-up-status'], queryFn: () => api.setUpNeeded(), retry: false })
}
