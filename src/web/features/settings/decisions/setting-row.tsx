import type { ReactNode } from 'react'
import styles from './setting-row.module.css'

/** Controls of a form with a title beside them. */
export function SettingRow({ title, help, children }: { title: string; help: string; children: ReactNode }) {
  return (
    <section className={styles.row}>
      <div>
        <h3>{title}</h3>
        <p>{help}</p>
      </div>
      <div>{children}</div>
    </section>
  )
}
