import type { ReactNode } from 'react'
import { Select } from '../../ui/select.tsx'
import styles from './filter-controls.module.css'

export function FilterGroup({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would add a border and no meaning
    <div className={styles.filters} role="group" aria-label="Filters">
      {children}
    </div>
  )
}

type Props = { label: string; value: string; onChange: (value: string) => void; children: ReactNode }

export function FilterSelect({ label, value, onChange, children }: Props) {
  return (
    <Select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      {children}
    </Select>
  )
}
