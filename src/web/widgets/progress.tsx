import { isObject, own } from '../../contract/forms/json.ts'
import { numberOption } from './hints.ts'
import type { WidgetProps } from './registry.ts'

/** How far something has come: a number up to 100, or up to `ui:options.max`, or `{ value, max }`. */
export function Progress({ value, hints }: WidgetProps) {
  const done = isObject(value) ? own(value, 'value') : value
  const most = (isObject(value) ? own(value, 'max') : numberOption(hints, 'max')) ?? 100
  if (typeof done !== 'number' || typeof most !== 'number' || most <= 0)
    throw new TypeError('progress needs a number.')
  const share = Math.min(1, Math.max(0, done / most))
  const words = most === 100 ? `${done} %` : `${done} of ${most}`
  return (
    <p className="progress">
      <progress value={share} max={1} aria-label={words} />
      <span className="num">{words}</span>
    </p>
  )
}
