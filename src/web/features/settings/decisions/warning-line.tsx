import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import styles from './warning-line.module.css'

export function WarningLine({ children }: { children: ReactNode }) {
  return (
    <p className={styles.warning}>
      <Icon of={TriangleAlert} />
      {children}
    </p>
  )
}
