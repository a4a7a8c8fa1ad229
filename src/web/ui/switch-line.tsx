import { useId } from 'react'
import styles from './switch-line.module.css'

type Props = {
  label: string
  description: string
  checked: boolean
  disabled?: boolean
  onChange: () => void
}

/** A switch with its name and what it does. */
export function SwitchLine({ label, description, checked, disabled, onChange }: Props) {
  const describedBy = useId()
  return (
    <label className={styles.line}>
      <span>
        <b>{label}</b>
        <span id={describedBy}>{description}</span>
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        className={styles.switch}
        aria-label={label}
        aria-describedby={describedBy}
        checked={checked}
        disabled={disabled}
        onChange={onChange}
      />
    </label>
  )
}
