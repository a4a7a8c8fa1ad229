import { type ReactNode, useMemo } from 'react'
import { maxSteps } from '../../../contract/edits/diff-tokens.ts'
import { diffWords } from '../../../contract/edits/word-diff.ts'
import { WordChanges } from '../../widgets/word-changes.tsx'
import styles from './changed-value.module.css'
import { ChangedValue, ChangedValues } from './changed-value.tsx'
import type { PartChange, ValueChange } from './revision-changes.ts'

/** By field of the context. Fields that are new, or whose values are hidden, have nothing to compare. */
export function changesToShow(changes: PartChange[] = []): Map<string, PartChange> {
  return new Map(
    changes.flatMap((change) => {
      const { field, values } = change
      const isReplaced = values.some(isWhole)
      const isShown = isReplaced ? values.every(isScalarChange) : values.length > 0
      return field !== undefined && isShown ? [[field, change] as const] : []
    }),
  )
}

const isWhole = ({ path }: ValueChange) => path.length === 0
const isScalarChange = ({ before, after }: ValueChange) =>
  [before, after].every((value) => value !== undefined && typeof value !== 'object')

/** A text or a single value with its changes; otherwise `children`, the value, below a list of what changed in it. */
export function ChangedField({ change: { values }, children }: { change: PartChange; children: ReactNode }) {
  const [first] = values
  if (first && isWhole(first)) {
    const { before, after } = first
    if (typeof before !== 'string' || typeof after !== 'string')
      return <ChangedValue before={before} after={after} />
    return <ChangedText before={before} after={after} />
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
function ChangedText({ before, after }: { before: string; after: string }) {
  const { changes } = useMemo(() => diffWords(before, after, { steps: maxSteps }), [before, after])
  return <WordChanges changes={changes} />
}
