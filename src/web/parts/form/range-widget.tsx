import { getSchemaType, type WidgetProps } from '@rjsf/utils'
import { ariaProps } from './control.ts'
import { boundsOf, integerStep, multiple } from './number-bounds.ts'
import styles from './range-widget.module.css'

const defaultLength = 100

export function RangeWidget(props: WidgetProps) {
  const { id, value, schema, disabled, readonly, onChange } = props
  const step = getSchemaType(schema) === 'integer' ? integerStep(schema) : schema.multipleOf
  const { min, max } = rangeOf(schema, step)
  const isSet = typeof value === 'number'
  /**
   * A slider that is not set is shown at its minimum. If the person chooses the minimum, the browser
   * reports no change.
   */
  const choose = (slider: HTMLInputElement) => !isSet && onChange(Number(slider.value))
  return (
    <div className={styles.rangeRow}>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step ?? 'any'}
        value={isSet ? value : min}
        disabled={disabled || readonly}
        {...ariaProps(props)}
        aria-valuetext={isSet ? undefined : 'Not set'}
        onChange={({ target }) => onChange(Number(target.value))}
        onPointerUp={({ currentTarget }) => choose(currentTarget)}
        onKeyUp={({ key, currentTarget }) => /^(Arrow|Page|Home|End)/.test(key) && choose(currentTarget)}
      />
      <output htmlFor={id}>{isSet ? value : 'Not set'}</output>
    </div>
  )
}

/**
 * The bounds of the schema, by default 0 and 100. If the given bound rules out the default of the other
 * one, the range is 100 long.
 */
function rangeOf(schema: WidgetProps['schema'], step: number | undefined) {
  const { from, to } = boundsOf(schema, step)
  const length = step ? multiple(Math.floor(defaultLength / step) || 1, step) : defaultLength
  const min = Number.isFinite(from) ? from : to > 0 ? 0 : to - length
  const max = Number.isFinite(to) ? to : from < length ? length : from + length
  return { min, max }
}
