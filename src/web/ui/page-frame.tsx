import { type ReactNode, useEffect, useRef } from 'react'
import { useTitle } from '../lib/use-title.ts'
import styles from './page-frame.module.css'

type Props = {
  title: string
  intro?: ReactNode
  /** A button on the line of the title. */
  action?: ReactNode
  children: ReactNode
}

export function PageFrame({ title, intro, action, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useTitle(title)
  useEffect(() => {
    // On a phone the clicked link has been unmounted, and focus was lost with it.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [])
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
