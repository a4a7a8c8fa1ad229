import { useId } from 'react'
import { FieldError } from './field-error.tsx'
import { Options, Select } from './select.tsx'

type Props = {
  label: string
  /** Shows the label to screen readers only, because a title beside the field says the same. */
  hidesLabel?: boolean
  value: string
  options: readonly (readonly [value: string, label: string])[]
  isRequired?: boolean
  error?: string | undefined
  onChange: (value: string) => void
}

export function LabelledSelect(props: Props) {
  const { label, hidesLabel = false, value, options, isRequired = false, error, onChange } = props
  const id = useId()
  return (
    <div>
      <label className={hidesLabel ? 'sr-only' : 'lbl'} htmlFor={id}>
        {label}
      </label>
      <Select
        id={id}
        value={value}
        required={isRequired}
        aria-invalid={error !== undefined}
        aria-describedby={error && `${id}-error`}
        onChange={({ target }) => onChange(target.value)}
      >
        <Options options={options} />
      </Select>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}
