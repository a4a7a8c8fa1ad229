import { type Fill, paintOf } from './fills.tsx'
import styles from './mix-bar.module.css'

/** Shares of a whole, side by side. */
export function MixBar({ parts, label }: { parts: { fill: Fill; count: number }[]; label: string }) {
  const total = parts.reduce((sum, part) => sum + part.count, 0)
  let before = 0
  return (
    <svg className={styles.mix} role="img" aria-label={label}>
      {parts.map(({ fill, count }) => {
        const start = before
        before += count
        return (
          count > 0 && (
            <rect
              key={fill.id}
              x={`${(start / total) * 100}%`}
              width={`${(count / total) * 100}%`}
              height="10"
              fill={paintOf(fill)}
            />
          )
        )
      })}
    </svg>
  )
}
