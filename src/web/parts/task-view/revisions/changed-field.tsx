import { type ReactNode, useMemo } from 'react'
import { maxDiffUnits } from '../../../../contract/edits/diff-tokens.ts'
import { diffWords } from '../../../../contract/edits/word-diff.ts'
import { WordChanges } from '../../../widgets/word-changes.tsx'
import styles from './changed-value.module.css'
import { ChangedValue, ChangedValues } from './changed-value.tsx'
import type { PartChange } from './revision-changes.ts'

// Undefined stands for no widget. Other widgets show more than the text, such as an image.
const textWidgets: ReadonlySet<string | undefined> = new Set([undefined, 'text', 'markdown', 'code'])

/**
 * A text or a single value with its changes; otherwise `children`, the value, below a list of what
 * changed in it.
 */
export default function ChangedField({
  change: { values },
  widget,
  children,
}: {
  change: PartChange
  /** The widget that shows the value. */
  widget: string | undefined
  children: ReactNode
}) {
  const [first] = values
  if (first?.path.length === 0 && textWidgets.has(widget)) {
    const { before, after } = first
    if (typeof before !== 'string' || typeof after !== 'string')
      return <ChangedValue before={before} after={after} />
    return <WholeTextChanges before={before} after={after} />
  }
  return (
    <>
      <dl className={styles.inside}>
        <dt className="sr-only">What the agent changed</dt>
        <ChangedValues values={values} />
      </dl>
      {children}
    </>
  )
}

/** The whole text, because it is the only place that shows it. */
function WholeTextChanges({ before, after }: { before: string; after: string }) {
  const { changes } = useMemo(() => diffWords(before, after, { units: maxDiffUnits }), [before, after])
  return <WordChanges changes={changes} />
}
