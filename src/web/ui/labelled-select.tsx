import { useId } from 'react'
import { FieldError } from './field-error.tsx'
import { Options, Select } from './select.tsx'

type Props = {
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  isRequired?: boolean
  error?: string | undefined
  onChange: (value: string) => void
}

export function LabelledSelect({ label, value, options, isRequired = false, error, onChange }: Props) {
  const id = useId()
  return (
    <div>
      <label className="lbl" htmlFor={id}>
        {label}
      </label>
      <Select
        id={id}
        value={value}
        required={isRequired}
        aria-describedby={error && `${id}-error`}
        onChange={({ target }) => onChange(target.value)}
      >
        <Options options={options} />
      </Select>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}
