import type { ReactNode } from 'react'
import { isObject } from '../../contract/forms/json.ts'
import styles from './default-value.module.css'
import { ElementFields } from './element-fields.tsx'
import { FoldedText } from './folded-text.tsx'
import { type Hints, readHints } from './hints.ts'
import { JsonTree } from './json-tree.tsx'
import { KeyValues } from './key-values.tsx'
import { isFlat, isScalar, isShort, Scalar } from './scalar.tsx'
import { columnsOf, ValueTable } from './table.tsx'
import { useShowMore } from './use-show-more.tsx'
import { Value } from './value.tsx'
import widgetsStyles from './widgets.module.css'

// Above these limits a tree is easier to read than pairs, a list or a table.
const maxPairs = 24
const maxItems = 200
const maxColumns = 12

/** The default rendering of any JSON value without a widget. */
export function DefaultValue({ value, hints = {} }: { value: unknown; hints?: Hints }) {
  if (typeof value === 'string' && !isShort(value)) return <FoldedText text={value} />
  if (isScalar(value)) {
    return (
      <p className={widgetsStyles.shortValue}>
        <Scalar value={value} />
      </p>
    )
  }
  if (Array.isArray(value)) return <List list={value} hints={hints} />
  if (isObject(value)) {
    const fields = Object.keys(value)
    if (fields.length === 0)
      return <p className={`${widgetsStyles.shortValue} ${widgetsStyles.nothing}`}>Empty</p>
    if (isFlat(value) && fields.length <= maxPairs) return <KeyValues object={value} hints={hints} />
    if (hints.fields && fields.some((name) => Object.hasOwn(hints.fields ?? {}, name))) {
      return (
        <div className={widgetsStyles.elements}>
          <ElementFields element={value} hints={hints.fields} heading="h3" />
        </div>
      )
    }
  }
  return <JsonTree value={value} />
}

function List({ list, hints }: { list: unknown[]; hints: Hints }) {
  if (list.length === 0)
    return <p className={`${widgetsStyles.shortValue} ${widgetsStyles.nothing}`}>Empty list</p>
  const elementHints = readHints(hints.items)
  if (elementHints.widget)
    return <ElementList list={list} render={(element) => <Value value={element} hints={elementHints} />} />
  const fieldHints = hints.items
  if (fieldHints && list.every(isObject))
    return (
      <ElementList
        list={list}
        render={(element) => <ElementFields element={element} hints={fieldHints} heading="h3" />}
      />
    )
  if (list.every((item) => isScalar(item) && isShort(item)) && list.length <= maxItems) {
    return (
      <ul className={styles.valueList}>
        {list.map((item, n) => (
          <li key={n}>
            <Scalar value={item as string | number | boolean | null} />
          </li>
        ))}
      </ul>
    )
  }
  if (list.every((item) => isObject(item) && isFlat(item))) {
    const columns = columnsOf(list as object[], maxColumns + 1)
    if (columns.length <= maxColumns) return <ValueTable rows={list as object[]} columns={columns} />
  }
  return <JsonTree value={list} />
}

function ElementList<Element>({
  list,
  render,
}: {
  list: Element[]
  render: (element: Element) => ReactNode
}) {
  const { shown, more } = useShowMore(list, 50, 'elements')
  return (
    <>
      <ol className={widgetsStyles.elements}>
        {shown.map((element, n) => (
          <li key={n}>{render(element)}</li>
        ))}
      </ol>
      {more}
    </>
  )
}
