import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { asProblem } from '../lib/problem.ts'
import { ProblemStrip } from './strip.tsx'

type Props<T> = { query: UseQueryResult<T>; what: string; children: (data: T) => ReactNode }

/** Renders the query's data, its error, or a skeleton while loading. */
export function Loaded<T>({ query, what, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) {
    return (
      <ProblemStrip
        what={`${what} did not load.`}
        problem={asProblem(query.error)}
        onRetry={() => void query.refetch()}
      />
    )
  }
  return <Skeleton />
}

export function Skeleton() {
  return (
    <div className="mt-4 grid gap-3" aria-hidden="true">
      <div className="skeleton h-10" />
      <div className="skeleton h-10" />
      <div className="skeleton h-10" />
    </div>
  )
}
