import { isObject } from '../../contract/forms/json.ts'
import { escapeBidi } from '../lib/escape-bidi.ts'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import { type Hints, hintsOf, titleOf } from './hints.ts'
import type { WidgetProps } from './registry.ts'
import { isScalar, isShort, Scalar } from './scalar.tsx'
import { useShowMore } from './use-show-more.tsx'
import { Value } from './value.tsx'
import widgetsStyles from './widgets.module.css'

export function KeyValueWidget({ value, hints }: WidgetProps) {
  if (!isObject(value) || Object.keys(value).length === 0)
    throw new TypeError('keyvalue needs an object with one or more fields.')
  return <KeyValues object={value} hints={hints} isColumn />
}

type Props = {
  object: object
  hints?: Hints
  /** Shows one pair per line, for values that may be long. */
  isColumn?: boolean
}

/** An object as labels and values. */
export function KeyValues({ object, hints = {}, isColumn = false }: Props) {
  const { shown, more } = useShowMore(Object.entries(object), 50, 'fields')
  return (
    <>
      <dl className={isColumn ? `${widgetsStyles.kv} ${widgetsStyles.column}` : widgetsStyles.kv}>
        {shown.map(([name, value]) => {
          const fieldHints = hintsOf(hints.fields, name)
          const isShortValue = !fieldHints.widget && isScalar(value) && isShort(value)
          return (
            <div key={name}>
              <dt title={escapeBidi(fieldHints.description ?? '') || undefined}>
                <bdi>{bidiSafe(titleOf(name, fieldHints))}</bdi>
              </dt>
              <dd>{isShortValue ? <Scalar value={value} /> : <Value value={value} hints={fieldHints} />}</dd>
            </div>
          )
        })}
      </dl>
      {more}
    </>
  )
}
