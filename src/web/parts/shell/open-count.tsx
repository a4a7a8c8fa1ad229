import { useOpenCount } from '../../lib/use-open-count.ts'
import navStyles from './nav.module.css'

/**
 * The number of tasks that wait for people, without those that this person has snoozed. It is
 * fetched unless `count` is given.
 */
export function OpenCount({ count }: { count: number | undefined }) {
  const loaded = useOpenCount(count === undefined)
  const open = count ?? loaded
  if (open === 0) return null
  return (
    <span className={navStyles.count}>
      {open > 999 ? '999+' : open}
      <span className="sr-only"> open</span>
    </span>
  )
}
