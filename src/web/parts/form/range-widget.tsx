import type { WidgetProps } from '@rjsf/utils'
import { ariaProps } from './control.ts'
import styles from './range-widget.module.css'

export function RangeWidget(props: WidgetProps) {
  const { id, value, schema, disabled, readonly, onChange } = props
  const min = schema.minimum ?? 0
  const max = schema.maximum ?? 100
  const isSet = typeof value === 'number'
  return (
    <div className={styles.rangeRow}>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={schema.multipleOf ?? (schema.type === 'integer' ? 1 : 'any')}
        value={isSet ? value : min}
        disabled={disabled || readonly}
        {...ariaProps(props)}
        onChange={({ target }) => onChange(Number(target.value))}
      />
      <output htmlFor={id}>{isSet ? value : 'Not set'}</output>
    </div>
  )
}
