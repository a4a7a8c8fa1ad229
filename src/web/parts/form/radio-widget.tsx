import { enumOptionsIsSelected, type WidgetProps } from '@rjsf/utils'
import { ariaProps, labelId } from './control.ts'
import { OptionRows } from './option-rows.tsx'

export function RadioWidget(props: WidgetProps) {
  const { id, value, options, disabled, readonly, onChange } = props
  const choices = options.enumOptions ?? []
  return (
    <OptionRows
      id={id}
      kind="radio"
      inline={options.inline ?? false}
      options={choices.map((choice) => ({
        label: choice.label,
        disabled: options.enumDisabled?.includes(choice.value) ?? false,
      }))}
      isChecked={(n) => enumOptionsIsSelected(choices[n]?.value, value)}
      onPick={(n) => onChange(choices[n]?.value)}
      disabled={disabled || readonly}
      labelledBy={labelId(id)}
      aria={ariaProps(props)}
    />
  )
}
