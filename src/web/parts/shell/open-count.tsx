import { useOpenCount } from '../../lib/use-open-count.ts'

export function OpenCount({ known }: { known: number | undefined }) {
  const loaded = useOpenCount(known === undefined)
  const open = known ?? loaded
  if (open === 0) return null
  return (
    <span className="count">
      {open > 999 ? '999+' : open}
      <span className="sr-only"> open</span>
    </span>
  )
}
