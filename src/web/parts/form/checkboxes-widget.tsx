import {
  enumOptionsDeselectValue,
  enumOptionsIsSelected,
  enumOptionsSelectValue,
  type WidgetProps,
} from '@rjsf/utils'
import { ariaProps, labelId } from './control.ts'
import { OptionRows } from './option-rows.tsx'

export function CheckboxesWidget(props: WidgetProps) {
  const { id, value, options, disabled, readonly, onChange } = props
  const choices = options.enumOptions ?? []
  const chosen: unknown[] = Array.isArray(value) ? value : []
  return (
    <OptionRows
      id={id}
      kind="checkbox"
      inline={options.inline ?? false}
      options={choices.map((choice) => ({
        label: choice.label,
        disabled: options.enumDisabled?.includes(choice.value) ?? false,
      }))}
      isChecked={(n) => enumOptionsIsSelected(choices[n]?.value, chosen as never)}
      onPick={(n, checked) =>
        onChange(
          checked
            ? enumOptionsSelectValue(n, chosen as never, choices)
            : enumOptionsDeselectValue(n, chosen as never, choices),
        )
      }
      disabled={disabled || readonly}
      labelledBy={labelId(id)}
      aria={ariaProps(props)}
    />
  )
}
