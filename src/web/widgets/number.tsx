import { bidiSafe } from '../ui/bidi-safe.tsx'
import { numberOption, textOption } from './hints.ts'
import type { WidgetProps } from './registry.ts'
import widgetsStyles from './widgets.module.css'

/** A formatted number. `ui:options`: currency, unit, digits (decimals). */
export function NumberWidget({ value, hints }: WidgetProps) {
  const number = typeof value === 'string' && isExact(value) ? Number(value) : value
  if (typeof number !== 'number')
    throw new TypeError('number needs a number, or a text that is a number of at most 15 digits.')
  const currency = textOption(hints, 'currency')
  const code = currency?.toUpperCase()
  const digits = numberOption(hints, 'digits')
  const isMoney = code !== undefined && /^[A-Z]{3}$/.test(code)
  // A currency that is not a code, such as €, is shown as it is.
  const unit = [isMoney ? undefined : currency, textOption(hints, 'unit')].filter(Boolean).join(' ')
  const format = new Intl.NumberFormat(undefined, {
    ...(isMoney ? { style: 'currency', currency: code } : { maximumFractionDigits: 20 }),
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

/** Whether the text is a number that is not rounded when it is converted: at most 15 significant digits. */
function isExact(text: string): boolean {
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) && text.replace(/\D/g, '').replace(/^0+/, '').length <= 15
}

function fractionDigits(digits: number) {
  const count = Math.min(20, Math.max(0, Math.trunc(digits)))
  return { minimumFractionDigits: count, maximumFractionDigits: count }
}
