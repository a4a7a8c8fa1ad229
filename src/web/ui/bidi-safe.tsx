import { Fragment, type ReactNode } from 'react'
import { bidiControlNames, bidiControls } from '../lib/escape-bidi.ts'
import styles from './bidi-safe.module.css'

/** Text from agents and people: bidi controls are shown by name instead of being applied. */
export function bidiSafe(text: string): ReactNode {
  if (!bidiControls.test(text)) return text
  return text.split(bidiControls).map((part, n) => {
    const name = bidiControlNames.get(part)
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
