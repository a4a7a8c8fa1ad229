import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { asProblem } from '../lib/problem.ts'
import { Skeleton } from './skeleton.tsx'
import { ProblemStrip } from './strip.tsx'

type Props<T> = {
  query: UseQueryResult<T>
  /** The subject of the error message: "The members". */
  subject: string
  children: (data: T) => ReactNode
}

/** Renders the query's data, its error, or a skeleton while loading. */
export function Loaded<T>({ query, subject, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) {
    return (
      <ProblemStrip
        message={`${subject} couldn't be loaded.`}
        problem={asProblem(query.error)}
        onRetry={() => void query.refetch()}
      />
    )
  }
  return <ListSkeleton />
}

export function ListSkeleton() {
  return (
    <div className="above-16 stack wide-gap" aria-hidden="true">
      <Skeleton height="2.5rem" />
      <Skeleton height="2.5rem" />
      <Skeleton height="2.5rem" />
    </div>
  )
}
