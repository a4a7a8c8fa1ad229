import { useOpenCount } from '../../lib/use-open-count.ts'
import navStyles from './nav.module.css'

export function OpenCount({ known }: { known: number | undefined }) {
  const loaded = useOpenCount(known === undefined)
  const open = known ?? loaded
  if (open === 0) return null
  return (
    <span className={navStyles.count}>
      {open > 999 ? '999+' : open}
      <span className="sr-only"> open</span>
    </span>
  )
}
