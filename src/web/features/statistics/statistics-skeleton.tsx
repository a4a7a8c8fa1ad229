import { Skeleton } from '../../ui/skeleton.tsx'
import statisticsStyles from './statistics.module.css'

export function StatisticsSkeleton() {
  return (
    <div className={statisticsStyles.wrap} aria-hidden="true">
      <div className={statisticsStyles.figures}>
        {Array.from({ length: 6 }, (_, n) => (
          <div className={statisticsStyles.stat} key={n}>
            <Skeleton width="6rem" height="1rem" />
            <Skeleton className="above-12" width="4rem" height="1.75rem" />
            <Skeleton className="above-12" height="2rem" />
          </div>
        ))}
      </div>
      <div className={statisticsStyles.columns}>
        <div className={statisticsStyles.charts}>
          <Skeleton className="above-24" width="10rem" height="1.25rem" />
          <Skeleton className="above-16" height="16rem" />
        </div>
      </div>
    </div>
  )
}
