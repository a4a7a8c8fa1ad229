import { isObject, own } from '../../contract/forms/json.ts'
import { numberOption } from './hints.ts'
import styles from './progress.module.css'
import type { WidgetProps } from './registry.ts'
import widgetsStyles from './widgets.module.css'

/** A number or `{ value, max }`. The maximum is `max`, else `ui:options.max`, else 100. */
export function Progress({ value, hints }: WidgetProps) {
  const done = isObject(value) ? own(value, 'value') : value
  const max = (isObject(value) ? own(value, 'max') : undefined) ?? numberOption(hints, 'max') ?? 100
  // Reject objects with other fields, which this widget would not show.
  const isShown = !isObject(value) || Object.keys(value).every((name) => name === 'value' || name === 'max')
  if (!isShown || typeof done !== 'number' || typeof max !== 'number' || max <= 0)
    throw new TypeError('progress needs a number, or { value, max } with a max above 0.')
  const share = Math.min(1, Math.max(0, done / max))
  const label = max === 100 ? `${done} %` : `${done} of ${max}`
  return (
    <p className={`${styles.progress} ${widgetsStyles.progress}`}>
      <progress value={share} max={1} aria-label={label} />
      <span className="num">{label}</span>
    </p>
  )
}
