import { QueryClient } from '@tanstack/react-query'
import { asProblem } from './problem.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: false,
      // Retry only network and server errors; client errors would fail again.
      retry: (failures, error) => {
        const { status } = asProblem(error)
        return failures < 2 && (status === 0 || status >= 500)
      },
    },
    mutations: {
      // Offline, a mutation fails now instead of being sent at some later time.
      networkMode: 'always',
      // The variables of a mutation may contain a password, so they are not kept once its form is closed.
      gcTime: 0,
    },
  },
})
