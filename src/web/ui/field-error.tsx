import { TriangleAlert } from 'lucide-react'
import styles from './field-error.module.css'
import { Icon } from './icon.tsx'

export function FieldError({ id, children }: { id: string; children: string }) {
  return (
    <p className={styles.err} id={id}>
      <Icon of={TriangleAlert} />
      {children}
    </p>
  )
}
