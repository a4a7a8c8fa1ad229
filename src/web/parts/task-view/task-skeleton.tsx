import type { ReactNode } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'
import taskStyles from './task.module.css'

export function TaskSkeleton({ children }: { children?: ReactNode }) {
  return (
    <div className={taskStyles.withGuideLine} role="status" aria-label="Loading task">
      <Skeleton className="above-8" width="46%" height="1.25rem" />
      <Skeleton className="above-12" width="30%" height="0.625rem" />
      <Skeleton className="above-24" width="72%" height="0.625rem" />
      <Skeleton className="above-12" width="64%" height="0.625rem" />
      {children && <p className="above-24 text-ink-2">{children}</p>}
    </div>
  )
}
