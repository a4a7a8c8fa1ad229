import type { LucideIcon } from 'lucide-react'

/** An icon, by default of 16 px (base.css). Hidden from screen readers unless it has a name. */
export function Icon({
  of: Drawing,
  name,
  className = '',
}: {
  of: LucideIcon
  name?: string
  className?: string | undefined
}) {
  return name ? (
    <Drawing className={`icon ${className}`} role="img" aria-label={name} aria-hidden={false} />
  ) : (
    <Drawing className={`icon ${className}`} aria-hidden="true" />
  )
}
