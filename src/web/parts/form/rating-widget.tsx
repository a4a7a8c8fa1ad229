import type { WidgetProps } from '@rjsf/utils'
import { ariaProps, labelId } from './control.ts'
import { OptionRows } from './option-rows.tsx'
import { RangeWidget } from './range-widget.tsx'

const maxSteps = 10

/** Integers from minimum to maximum, side by side. */
export function RatingWidget(props: WidgetProps) {
  const { id, value, schema, disabled, readonly, onChange } = props
  const from = Math.ceil(schema.minimum ?? 1)
  const to = Math.floor(schema.maximum ?? 5)
  if (to - from + 1 > maxSteps) return <RangeWidget {...props} />
  const steps = Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n)
  return (
    <OptionRows
      id={id}
      kind="radio"
      inline
      isRating
      options={steps.map((step) => ({ label: String(step), disabled: false }))}
      isChecked={(n) => steps[n] === value}
      onPick={(n) => onChange(steps[n])}
      disabled={disabled || readonly}
      labelledBy={labelId(id)}
      aria={ariaProps(props)}
    />
  )
}
