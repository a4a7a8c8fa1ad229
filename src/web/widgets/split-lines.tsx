import { bidiSafe } from '../ui/bidi-safe.tsx'
import { type ChangedLine, pairLines } from './changed-lines.ts'
import diffStyles from './diff.module.css'
import styles from './split-lines.module.css'
import { useShowMore } from './use-show-more.tsx'
import widgetsStyles from './widgets.module.css'

/** A diff side by side. It is a table, so that screen readers read both versions of a line together. */
export function SplitLines({ lines }: { lines: ChangedLine[] }) {
  const { shown, more } = useShowMore(pairLines(lines), 200, 'lines')
  return (
    <>
      {/* biome-ignore lint/a11y: a scrollable box must be focusable, and then it needs a role and a name */}
      <div className={styles.splitLines} tabIndex={0} role="group" aria-label="Changes">
        <table>
          <thead className="sr-only">
            <tr>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ before, after }, n) => (
              <tr key={n}>
                <Side line={before} sign="−" changed="removed" />
                <Side line={after} sign="+" changed="added" />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more}
    </>
  )
}

function Side({ line, sign, changed }: { line: ChangedLine | undefined; sign: string; changed: string }) {
  if (!line) return <td className={`${widgetsStyles.line} ${styles.line}`} />
  const isChanged = line.kind === changed
  return (
    <td className={`${widgetsStyles.line} ${widgetsStyles[line.kind]} ${styles.line}`}>
      <span className={diffStyles.sign}>{isChanged ? sign : ' '} </span>
      {bidiSafe(line.text)}
    </td>
  )
}
