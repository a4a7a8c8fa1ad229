import { useId, useState } from 'react'
import type { Member } from '../../../../contract/workspace.ts'
import { byName } from '../../../lib/by-name.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import checkLineStyles from '../../../ui/check-line.module.css'
import { FieldError } from '../../../ui/field-error.tsx'
import styles from './pick-list.module.css'

type Choice = { value: string; label: string; help: string }

export function memberChoices(members: Member[]): Choice[] {
  return members
    .map(({ email, name, emailVerified }) => ({
      value: email,
      label: name,
      help: emailVerified ? email : `${email} · not verified`,
    }))
    .sort((one, other) => byName(one.label, other.label))
}

type Props = {
  label: string
  choices: Choice[]
  picked: string[]
  max: number
  onPick: (picked: string[]) => void
  error?: string | undefined
}

// A longer list gets a filter.
const maxWithoutFilter = 8

/** A list of checkboxes, at most `max` of which can be checked. */
export function PickList({ label, choices, picked, max, onPick, error }: Props) {
  const id = useId()
  const [filter, setFilter] = useState('')
  const isFull = picked.length >= max
  const wanted = filter.trim().toLowerCase()
  const shown = choices.filter((choice) =>
    `${choice.label} ${choice.help} ${choice.value}`.toLowerCase().includes(wanted),
  )
  const pick = (value: string, isPicked: boolean) =>
    onPick(isPicked ? [...picked, value] : picked.filter((other) => other !== value))
  return (
    <fieldset aria-describedby={error && id}>
      <legend className="lbl">
        {label}{' '}
        <span className="opt">{isFull ? `${max} selected, the maximum` : `${picked.length} selected`}</span>
      </legend>
      {choices.length > maxWithoutFilter && (
        <input
          className="input below-8"
          type="search"
          aria-label={`Filter ${label.toLowerCase()}`}
          placeholder="Filter by name or address"
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
          // Enter would submit the form.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      <div className={styles.list}>
        {shown.map(({ value, label, help }) => (
          <label key={value} className={checkLineStyles.checkLine}>
            <input
              type="checkbox"
              checked={picked.includes(value)}
              disabled={isFull && !picked.includes(value)}
              onChange={({ target }) => pick(value, target.checked)}
            />
            <span>
              <bdi>{bidiSafe(label)}</bdi>
              <small>{bidiSafe(help)}</small>
            </span>
          </label>
        ))}
        {shown.length === 0 && <p className="text-ink-3">No match.</p>}
      </div>
      {error && <FieldError id={id}>{error}</FieldError>}
    </fieldset>
  )
}
