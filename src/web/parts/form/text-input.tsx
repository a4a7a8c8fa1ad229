import { type BaseInputTemplateProps, getInputProps } from '@rjsf/utils'
import { aria } from './control.ts'

/** Text, e-mail, link, date, time, number: every field that is one line. */
export function TextInput(props: BaseInputTemplateProps) {
  const { id, value, schema, options, type, readonly, disabled, placeholder, onChange, onChangeOverride } =
    props
  const native = getInputProps(schema, type, options)
  // A number box changes its value when a page is scrolled over it. Text with a number keyboard does not.
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
