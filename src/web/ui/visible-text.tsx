import { Fragment, type ReactNode } from 'react'
import { directionControls, directionMarks } from '../lib/plain-text.ts'
import styles from './visible-text.module.css'

export function visible(text: string): ReactNode {
  if (!directionControls.test(text)) return text
  return text.split(directionControls).map((part, n) => {
    const name = directionMarks.get(part)
    return (
      <Fragment key={n}>
        {name ? (
          <span className={styles.control} title="Direction control character">
            {name}
          </span>
        ) : (
          part
        )}
      </Fragment>
    )
  })
}
