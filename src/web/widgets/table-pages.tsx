import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatCount } from '../lib/count.ts'
import { Icon } from '../ui/icon.tsx'

type Props = { count: number; size: number; page: number; onPage: (page: number) => void }

export function TablePages({ count, size, page, onPage }: Props) {
  if (count <= size) return null
  const from = page * size + 1
  const to = Math.min(count, from + size - 1)
  return (
    <>
      <button
        type="button"
        className="btn square"
        aria-label="Previous page"
        aria-disabled={page === 0}
        onClick={() => page > 0 && onPage(page - 1)}
      >
        <Icon of={ChevronLeft} />
      </button>
      <span className="num" role="status">
        Rows {formatCount(from)} to {formatCount(to)} of {formatCount(count)}
      </span>
      <button
        type="button"
        className="btn square"
        aria-label="Next page"
        aria-disabled={to === count}
        onClick={() => to < count && onPage(page + 1)}
      >
        <Icon of={ChevronRight} />
      </button>
    </>
  )
}
