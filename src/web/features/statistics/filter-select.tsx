import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { Icon } from '../../ui/icon.tsx'
import styles from './filter-bar.module.css'

type FilterSelectProps = {
  name: string
  value: string | undefined
  /** Label of the option without a value: it removes the filter, or asks to choose a value. */
  emptyLabel?: string
  options?: string[]
  /** The value itself by default. A value with another label is shown as a tooltip. */
  labelOf?: (value: string) => string
  onChoose: (value: string) => void
  children?: ReactNode
}

export function FilterSelect({
  name,
  value,
  emptyLabel,
  options = [],
  labelOf = (option) => option,
  onChoose,
  children,
}: FilterSelectProps) {
  const id = useId()
  // A selected value stays listed even if the period has no answers for it.
  const listed = value !== undefined && !children && !options.includes(value) ? [value, ...options] : options
  return (
    <div className={value !== undefined && emptyLabel ? `${styles.chooser} ${styles.set}` : styles.chooser}>
      <label htmlFor={id}>{name}</label>
      <select
        id={id}
        value={value ?? ''}
        title={value === undefined || labelOf(value) === value ? undefined : value}
        onChange={(event) => onChoose(event.target.value)}
      >
        {emptyLabel && <option value="">{emptyLabel}</option>}
        {children}
        {listed.map((option) => (
          <option key={option} value={option} title={labelOf(option) === option ? undefined : option}>
            {escapeBidi(labelOf(option))}
          </option>
        ))}
      </select>
      <Icon of={ChevronDown} />
    </div>
  )
}
