import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../lib/api.ts'

/** Ends the session and shows the sign-in page, which leads back to `to` if it is given. */
export function useSignOut() {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return async (to?: string) => {
    await api.signOut().catch(() => undefined)
    queryClient.clear()
    await navigate({ to: '/sign-in', search: { to } })
  }
}
