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
  },
})
