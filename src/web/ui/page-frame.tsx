import type { ReactNode } from 'react'
import { useTitle } from '../lib/use-title.ts'
import styles from './page-frame.module.css'
import { useFocusHeading } from './use-focus-heading.ts'

type Props = {
  title: string
  intro?: ReactNode
  /** A button on the line of the title. */
  action?: ReactNode
  children?: ReactNode
}

export function PageFrame({ title, intro, action, children }: Props) {
  const heading = useFocusHeading()
  useTitle(title)
  return (
    <>
      <div className="head-line">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {action}
      </div>
      {intro && <p className={styles.intro}>{intro}</p>}
      {children}
    </>
  )
}
