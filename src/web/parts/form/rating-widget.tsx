import type { WidgetProps } from '@rjsf/utils'
import { ariaProps, labelId } from './control.ts'
import { boundsOf, integerStep } from './number-bounds.ts'
import { OptionRows } from './option-rows.tsx'
import { RangeWidget } from './range-widget.tsx'

const defaultCount = 5
const maxCount = 10

/** The integers that the schema allows, side by side, or a slider if there are more than `maxCount`. */
export function RatingWidget(props: WidgetProps) {
  const { id, value, schema, disabled, readonly, onChange } = props
  const { from, to, step } = rangeOf(schema)
  const count = Math.max(0, (to - from) / step + 1)
  if (count > maxCount)
    return <RangeWidget {...props} schema={{ ...schema, minimum: from, maximum: to, multipleOf: step }} />
  const ratings = Array.from({ length: count }, (_, n) => from + n * step)
  return (
    <OptionRows
      id={id}
      kind="radio"
      inline
      isRating
      options={ratings.map((rating) => ({ label: String(rating), disabled: false }))}
      isChecked={(n) => ratings[n] === value}
      onPick={(n) => onChange(ratings[n])}
      disabled={disabled || readonly}
      labelledBy={labelId(id)}
      aria={ariaProps(props)}
    />
  )
}

/**
 * The bounds of the schema. Without a minimum, ratings start at 1, or are the last five up to a
 * maximum below 1. Without a maximum, there are five.
 */
function rangeOf(schema: WidgetProps['schema']): { from: number; to: number; step: number } {
  const step = integerStep(schema)
  const { from: lower, to: upper } = boundsOf(schema, step)
  const defaultLength = (defaultCount - 1) * step
  const lowest = upper >= 1 ? 1 : upper - defaultLength
  const from = Number.isFinite(lower) ? lower : Math.ceil(lowest / step) * step
  const to = Number.isFinite(upper) ? upper : from + defaultLength
  return { from, to, step }
}
