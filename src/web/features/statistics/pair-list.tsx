import type { ReactNode } from 'react'
import type { Statistics } from '../../../contract/statistics.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import styles from './pair-list.module.css'
import { Health } from './pairs-table.tsx'

type Pair = Statistics['pairs'][number]
type Props = {
  pairs: Pair[]
  /** The link of a pair, with its name. */
  children: (pair: Pair, name: ReactNode) => ReactNode
}

/** Apps and types to choose from, with their health. */
export function PairList({ pairs, children }: Props) {
  return (
    <ul className={styles.pairs}>
      {pairs.slice(0, 12).map((pair) => (
        <li key={JSON.stringify([pair.app, pair.type])}>
          {children(
            pair,
            <>
              <bdi>{bidiSafe(pair.app)}</bdi> / <bdi>{bidiSafe(pair.type)}</bdi>
            </>,
          )}
          <Health health={pair.health} />
        </li>
      ))}
    </ul>
  )
}
