import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Icon } from '../ui/icon.tsx'

const figure = new Intl.NumberFormat()

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
        Rows {figure.format(from)} to {figure.format(to)} of {figure.format(count)}
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
