import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTitle } from '../lib/use-title.ts'
import styles from './entry-frame.module.css'
import { Icon } from './icon.tsx'
import { Logo } from './logo.tsx'

export function EntryFrame({
  title,
  lede,
  icon,
  children,
}: {
  title: string
  /** Shown above the title on pages that report a problem. */
  icon?: LucideIcon
  lede?: ReactNode
  children?: ReactNode
}) {
  useTitle(title)
  return (
    <div className={styles.entry}>
      <header>
        <Logo size={22} />
        Handrail
      </header>
      <main>
        {icon && (
          <span className={styles.iconBig}>
            <Icon of={icon} />
          </span>
        )}
        <h1>{title}</h1>
        {lede && <p className={styles.lede}>{lede}</p>}
        {children}
      </main>
    </div>
  )
}
