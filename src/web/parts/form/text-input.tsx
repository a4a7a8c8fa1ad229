import { type BaseInputTemplateProps, getInputProps, getSchemaType } from '@rjsf/utils'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { ariaProps } from './control.ts'

/** Single-line fields: text, email, URL, date, time, number. */
export function TextInput(props: BaseInputTemplateProps) {
  const { id, value, options, type, readonly, disabled, placeholder, onChange, onChangeOverride } = props
  // Without null, which `getInputProps` does not expect.
  const schema = { ...props.schema, type: getSchemaType(props.schema) } as typeof props.schema
  const inputProps = getInputProps(schema, type, options)
  // A number input changes its value on scroll, so numbers have a text input with a numeric keyboard.
  const isNumber = inputProps.type === 'number'
  return (
    <input
      className="input"
      id={id}
      type={isNumber ? 'text' : inputProps.type}
      inputMode={isNumber ? numericKeyboard(schema) : undefined}
      autoComplete={inputProps.autoComplete ?? 'off'}
      min={isNumber ? undefined : inputProps.min}
      max={isNumber ? undefined : inputProps.max}
      step={isNumber ? undefined : inputProps.step}
      value={value ?? ''}
      readOnly={readonly}
      disabled={disabled}
      placeholder={escapeBidi(placeholder ?? '')}
      {...ariaProps(props)}
      onChange={
        onChangeOverride ??
        (({ target }) => onChange(target.value === '' ? options.emptyValue : target.value))
      }
    />
  )
}

/** Undefined if the number may be negative, because the numeric keyboards of iOS have no minus sign. */
function numericKeyboard({ type, minimum, exclusiveMinimum }: BaseInputTemplateProps['schema']) {
  if (Math.max(minimum ?? -1, exclusiveMinimum ?? -1) < 0) return undefined
  return type === 'integer' ? 'numeric' : 'decimal'
}
