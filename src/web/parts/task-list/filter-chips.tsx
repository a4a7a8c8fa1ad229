import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import styles from './filter-chips.module.css'

/** `value`: the chosen value as it is shown. */
export type ActiveFilter = { name: string; value: ReactNode; onRemove: () => void }

/** The active filters, each with a remove button. Renders nothing without filters. */
export function FilterChips({ filters, onClear }: { filters: ActiveFilter[]; onClear: () => void }) {
  if (filters.length === 0) return null
  return (
    <fieldset className={styles.filterChips} aria-label="Filters">
      {filters.map(({ name, value, onRemove }) => (
        <span key={name} className="chip">
          <span className={styles.words}>
            <span className="text-ink-3">{name}</span> {value}
          </span>
          <button type="button" aria-label={`Remove filter: ${name}`} onClick={onRemove}>
            <Icon of={X} />
          </button>
        </span>
      ))}
      <button type="button" className="text-button" onClick={onClear}>
        Clear
      </button>
    </fieldset>
  )
}
