import { bidiSafe } from '../ui/bidi-safe.tsx'
import { numberOption, textOption } from './hints.ts'
import type { WidgetProps } from './registry.ts'
import widgetsStyles from './widgets.module.css'

/** A formatted number. `ui:options`: currency, unit, digits (decimals). */
export function NumberWidget({ value, hints }: WidgetProps) {
  const number = typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value
  if (typeof number !== 'number') throw new TypeError('number needs a number.')
  const currency = textOption(hints, 'currency')
  const unit = textOption(hints, 'unit')
  const digits = numberOption(hints, 'digits')
  const isMoney = currency !== undefined && /^[A-Z]{3}$/.test(currency)
  const format = new Intl.NumberFormat(undefined, {
    ...(isMoney ? { style: 'currency', currency } : { maximumFractionDigits: 20 }),
    ...(digits !== undefined && { ...fractionDigits(digits) }),
  })
  return (
    <p className={`num ${widgetsStyles.shortValue}`} title={String(value)}>
      {format.format(number)}
      {unit && (
        <>
          {' '}
          <bdi>{bidiSafe(unit)}</bdi>
        </>
      )}
    </p>
  )
}

function fractionDigits(digits: number) {
  const count = Math.min(20, Math.max(0, Math.trunc(digits)))
  return { minimumFractionDigits: count, maximumFractionDigits: count }
}
