import { type BaseInputTemplateProps, getInputProps } from '@rjsf/utils'
import { aria } from './control.ts'

/** Single-line fields: text, email, URL, date, time, number. */
export function TextInput(props: BaseInputTemplateProps) {
  const { id, value, schema, options, type, readonly, disabled, placeholder, onChange, onChangeOverride } =
    props
  const native = getInputProps(schema, type, options)
  // A number input changes its value on scroll; a text input with a numeric keyboard does not.
  const isNumber = native.type === 'number'
  return (
    <input
      className="input"
      id={id}
      type={isNumber ? 'text' : native.type}
      inputMode={isNumber ? (schema.type === 'integer' ? 'numeric' : 'decimal') : undefined}
      autoComplete={native.autoComplete ?? 'off'}
      min={isNumber ? undefined : native.min}
      max={isNumber ? undefined : native.max}
      step={isNumber ? undefined : native.step}
      value={value ?? ''}
      readOnly={readonly}
      disabled={disabled}
      placeholder={placeholder}
      {...aria(props)}
      onChange={
        onChangeOverride ??
        (({ target }) => onChange(target.value === '' ? options.emptyValue : target.value))
      }
    />
  )
}
