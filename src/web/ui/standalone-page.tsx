import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTitle } from '../lib/use-title.ts'
import { focusIfLost } from './focus-if-lost.ts'
import { Icon } from './icon.tsx'
import { Logo } from './logo.tsx'
import styles from './standalone-page.module.css'

export function StandalonePage({
  title,
  intro,
  icon,
  above,
  isWide = false,
  children,
}: {
  title: string
  /** Shown above the title. */
  icon?: LucideIcon
  /** Other content above the title. */
  above?: ReactNode
  isWide?: boolean
  intro?: ReactNode
  children?: ReactNode
}) {
  useTitle(title)
  const heading = useRef<HTMLHeadingElement>(null)
  const titleBefore = useRef(title)
  // When a form is replaced by its result, for example, the title changes and the focused element
  // is gone.
  useEffect(() => {
    if (title !== titleBefore.current) focusIfLost(heading.current)
    titleBefore.current = title
  }, [title])
  return (
    <div className={styles.page}>
      <header>
        <Logo size={22} />
        Handrail
      </header>
      <main className={isWide ? styles.wide : undefined}>
        {above}
        {icon && (
          <span className={styles.icon}>
            <Icon of={icon} />
          </span>
        )}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {intro && <p className={styles.intro}>{intro}</p>}
        {children}
      </main>
    </div>
  )
}
