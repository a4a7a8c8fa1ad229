import { useState } from 'react'
import { isObject, own } from '../../contract/forms/json.ts'
import { visible } from '../ui/visible-text.tsx'
import { inWords } from './hints.ts'
import { isScalar, Scalar } from './scalar.tsx'

const folded = 25

/** Flat objects of one kind as a table. */
export function ValueTable({ rows, columns }: { rows: object[]; columns: string[] }) {
  const [isOpen, setOpen] = useState(rows.length <= folded)
  const shown = isOpen ? rows : rows.slice(0, folded)
  const numeric = new Set(
    columns.filter((name) => rows.every((row) => typeof valueAt(row, name) === 'number')),
  )
  return (
    <>
      {/* biome-ignore lint/a11y: a box that scrolls must take focus, and then it needs a role and a name */}
      <div className="table-scroll" role="group" tabIndex={0} aria-label="Table">
        <table>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col" className={numeric.has(name) ? 'figure' : undefined}>
                  <bdi>{visible(inWords(name))}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, n) => (
              <tr key={n}>
                {columns.map((name) => {
                  const value = valueAt(row, name)
                  return (
                    <td key={name} className={numeric.has(name) ? 'figure' : undefined}>
                      {value !== undefined && isScalar(value) && <Scalar value={value} />}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!isOpen && (
        <button type="button" className="text-button unfold" onClick={() => setOpen(true)}>
          Show all {rows.length} rows
        </button>
      )}
    </>
  )
}

function valueAt(row: object, name: string): unknown {
  return isObject(row) ? own(row, name) : undefined
}
