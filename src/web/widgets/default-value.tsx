import { isObject } from '../../contract/forms/json.ts'
import { FoldedText } from './folded-text.tsx'
import { HintedElements } from './hinted-elements.tsx'
import type { Hints } from './hints.ts'
import { JsonTree } from './json-tree.tsx'
import { KeyValues } from './key-values.tsx'
import { isScalar, isShort, Scalar } from './scalar.tsx'
import { ValueTable } from './value-table.tsx'

// Beyond these a line or a table is harder to read than a tree.
const mostPairs = 24
const mostColumns = 12

/** A sensible look for any JSON value that came without a widget. */
export function DefaultValue({ value, hints = {} }: { value: unknown; hints?: Hints }) {
  if (typeof value === 'string' && !isShort(value)) return <FoldedText text={value} />
  if (isScalar(value)) {
    return (
      <p className="short-value">
        <Scalar value={value} />
      </p>
    )
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return <p className="short-value nothing">Empty list</p>
    if (hints.items && value.every(isObject)) return <HintedElements elements={value} hints={hints.items} />
    if (value.every((item) => isScalar(item) && isShort(item)) && value.length <= 200) {
      return (
        <ul className="value-list">
          {value.map((item, n) => (
            <li key={n}>
              <Scalar value={item} />
            </li>
          ))}
        </ul>
      )
    }
    if (value.every((item) => isObject(item) && isFlat(item)) && columnsOf(value).length <= mostColumns) {
      return <ValueTable rows={value} columns={columnsOf(value)} />
    }
    return <JsonTree value={value} />
  }
  if (isObject(value)) {
    if (Object.keys(value).length === 0) return <p className="short-value nothing">Empty</p>
    if (isFlat(value) && Object.keys(value).length <= mostPairs) return <KeyValues object={value} />
  }
  return <JsonTree value={value} />
}

function isFlat(object: object): boolean {
  return Object.values(object).every((value) => isScalar(value) && isShort(value))
}

function columnsOf(rows: object[]): string[] {
  const columns = new Set<string>()
  for (const row of rows) {
    for (const name of Object.keys(row)) {
      columns.add(name)
      if (columns.size > mostColumns) return [...columns]
    }
  }
  return [...columns]
}
