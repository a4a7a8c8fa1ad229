export function StatisticsSkeleton() {
  return (
    <div className="wrap" aria-hidden="true">
      <div className="figures">
        {Array.from({ length: 6 }, (_, n) => (
          <div className="stat" key={n}>
            <div className="skeleton h-4 w-24" />
            <div className="skeleton mt-3 h-7 w-16" />
            <div className="skeleton mt-3 h-8" />
          </div>
        ))}
      </div>
      <div className="columns">
        <div className="charts">
          <div className="skeleton mt-6 h-5 w-40" />
          <div className="skeleton mt-4 h-64" />
        </div>
      </div>
    </div>
  )
}
