import type { ReactNode } from 'react'
import type { Statistics } from '../../../contract/statistics.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { useShowMore } from '../../widgets/use-show-more.tsx'
import styles from './app-and-type-list.module.css'
import { Health } from './health.tsx'

type CountedAppAndType = Statistics['pairs'][number]
type Props = {
  pairs: CountedAppAndType[]
  /** Renders the link of an app and type; `name` is the text of the link. */
  children: (pair: CountedAppAndType, name: ReactNode) => ReactNode
}

/** Apps and types to choose from, with their health. */
export function AppAndTypeList({ pairs, children }: Props) {
  const { shown, more } = useShowMore(pairs, 12, 'apps and types')
  return (
    <>
      <ul className={styles.list}>
        {shown.map((pair) => (
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
      {more}
    </>
  )
}
