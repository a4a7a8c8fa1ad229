import type { ReactNode } from 'react'
import styles from './setting-row.module.css'

type Props = { title: string; help?: string; children: ReactNode }

/** Controls of a form with a title beside them. The page may set --setting-label and --setting-width. */
export function SettingRow({ title, help, children }: Props) {
  return (
    <section className={styles.row}>
      <div>
        <h3>{title}</h3>
        {help && <p>{help}</p>}
      </div>
      <div>{children}</div>
    </section>
  )
}
