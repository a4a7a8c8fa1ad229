export function TaskSkeleton() {
  return (
    <div className="railed" role="status" aria-label="Loading the task">
      <div className="skeleton mt-2 h-5" style={{ width: '46%' }} />
      <div className="skeleton mt-3 h-2.5" style={{ width: '30%' }} />
      <div className="skeleton mt-6 h-2.5" style={{ width: '72%' }} />
      <div className="skeleton mt-3 h-2.5" style={{ width: '64%' }} />
    </div>
  )
}
