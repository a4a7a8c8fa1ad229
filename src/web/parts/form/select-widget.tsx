import { enumOptionsIsSelected, type WidgetProps } from '@rjsf/utils'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { Select } from '../../ui/select.tsx'
import { CheckboxesWidget } from './checkboxes-widget.tsx'
import { ariaProps } from './control.ts'
import { RadioWidget } from './radio-widget.tsx'

// Up to this many options are shown as radio buttons, unless they are the variants of a oneOf or
// anyOf, or the agent requested a select.
const maxRadioOptions = 5

export function SelectWidget(props: WidgetProps) {
  const { id, value, options, uiSchema, multiple, disabled, readonly, placeholder, label, onChange } = props
  const choices = options.enumOptions ?? []
  if (multiple) return <CheckboxesWidget {...props} />

  const isVariant = /__(one|any)of_select$/.test(id)
  const isSelectRequested =
    uiSchema?.['ui:widget'] === 'select' || uiSchema?.['ui:options']?.widget === 'select'
  if (!isSelectRequested && !isVariant && choices.length <= maxRadioOptions) return <RadioWidget {...props} />

  const chosen = choices.findIndex((choice) => enumOptionsIsSelected(choice.value, value))
  return (
    <Select
      id={id}
      value={chosen}
      disabled={disabled || readonly}
      aria-label={isVariant ? (label ? `Type of ${escapeBidi(label)}` : 'Type') : undefined}
      {...ariaProps(props)}
      onChange={({ target }) => {
        const choice = choices[Number(target.value)]
        onChange(choice ? choice.value : options.emptyValue)
      }}
    >
      {!isVariant && <option value={-1}>{escapeBidi(placeholder || 'Select an option')}</option>}
      {choices.map((choice, n) => (
        <option key={n} value={n} disabled={options.enumDisabled?.includes(choice.value)}>
          {escapeBidi(choice.label)}
        </option>
      ))}
    </Select>
  )
}
