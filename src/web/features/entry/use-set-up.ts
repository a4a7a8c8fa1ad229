import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'

/** What the door must know before anybody is signed in: whether there is an owner, and whether resets are mailed. */
export function useSetUp() {
  return useQuery({ queryKey: ['set-up-needed'], queryFn: () => api.setUpNeeded(), retry: false })
}
