import { reservedActions } from '../../../contract/reserved-actions.ts'
import styles from './fills.module.css'

export type Fill = { id: string; color: string; pattern: 'solid' | 'hatch' | 'dots' | 'bars' }

const colors = {
  one: 'var(--chart-1)',
  two: 'var(--chart-2)',
  neg: 'var(--chart-neg)',
  gray: 'var(--chart-gray)',
}

function fill(color: keyof typeof colors, pattern: Fill['pattern'] = 'solid'): Fill {
  return { id: `fill-${color}-${pattern}`, color: colors[color], pattern }
}

// Statistics name at most eight actions, so no two actions share a fill. Fills of the same color
// differ in their pattern.
const others = [
  fill('one'),
  fill('two'),
  fill('gray'),
  fill('one', 'dots'),
  fill('two', 'dots'),
  fill('one', 'bars'),
  fill('two', 'bars'),
  fill('gray', 'dots'),
]
// Further negative actions get fills from `others`.
const negatives = [fill('neg'), fill('neg', 'dots'), fill('neg', 'bars')]
export const fills = {
  positive: fill('one'),
  neutral: fill('two'),
  negative: fill('neg'),
  rest: fill('gray', 'bars'),
  markDone: fill('gray', 'hatch'),
  rejectRequest: fill('neg', 'hatch'),
}
const all = [...others, ...negatives, ...Object.values(fills)]

/** One fill per action, in the same order; reserved actions have fixed fills. */
export function fillsOf(actions: { actionId: string; outcome: string }[]): Fill[] {
  let negative = 0
  let other = 0
  return actions.map(({ actionId, outcome }) => {
    if (actionId === reservedActions.markDone.id) return fills.markDone
    if (actionId === reservedActions.rejectRequest.id) return fills.rejectRequest
    const unusedNegative = outcome === 'negative' ? negatives[negative++] : undefined
    return unusedNegative ?? others[other++]!
  })
}

export function paintOf({ id, color, pattern }: Fill): string {
  return pattern === 'solid' ? color : `url(#${id})`
}

/** The SVG patterns that the fills reference. Render it once per page. */
export function FillPatterns() {
  const patterns = new Map(all.filter(({ pattern }) => pattern !== 'solid').map((fill) => [fill.id, fill]))
  return (
    <svg className={styles.fillPatterns} width="0" height="0" aria-hidden="true">
      <defs>
        {[...patterns.values()].map(({ id, color, pattern }) => (
          <pattern
            key={id}
            id={id}
            width="4"
            height="4"
            patternUnits="userSpaceOnUse"
            patternTransform={pattern === 'hatch' ? 'rotate(45)' : undefined}
          >
            <rect width="4" height="4" fill="var(--surface)" />
            {pattern === 'dots' ? (
              <circle cx="2" cy="2" r="1.3" fill={color} />
            ) : (
              <rect width={pattern === 'hatch' ? 1.6 : 2.4} height="4" fill={color} />
            )}
          </pattern>
        ))}
      </defs>
    </svg>
  )
}

export function Swatch({ fill }: { fill: Fill }) {
  return (
    <svg className={styles.swatch} width="10" height="10" aria-hidden="true">
      <rect width="10" height="10" rx="2" fill={paintOf(fill)} />
    </svg>
  )
}
