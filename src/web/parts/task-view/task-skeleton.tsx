import type { ReactNode } from 'react'

export function TaskSkeleton({ children }: { children?: ReactNode }) {
  return (
    <div className="railed" role="status" aria-label="Loading the task">
      <div className="skeleton mt-2 h-5" style={{ width: '46%' }} />
      <div className="skeleton mt-3 h-2.5" style={{ width: '30%' }} />
      <div className="skeleton mt-6 h-2.5" style={{ width: '72%' }} />
      <div className="skeleton mt-3 h-2.5" style={{ width: '64%' }} />
      {children && <p className="mt-6 text-ink-2">{children}</p>}
    </div>
  )
}
