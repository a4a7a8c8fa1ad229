import { QueryClient } from '@tanstack/react-query'
import { asProblem } from './problem.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: false,
      // What was refused will be refused again; what could not be reached may come back.
      retry: (failures, error) => {
        const { status } = asProblem(error)
        return failures < 2 && (status === 0 || status >= 500)
      },
    },
  },
})
