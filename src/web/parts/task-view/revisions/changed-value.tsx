import { useMemo } from 'react'
import { diffWords, wordsOf } from '../../../../contract/edits/word-diff.ts'
import { truncate } from '../../../../contract/truncate.ts'
import { formatCount, pluralize } from '../../../lib/count.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import wordStyles from '../../../widgets/word-changes.module.css'
import styles from './changed-value.module.css'
import type { ValueChange } from './revision-changes.ts'

// Less than `maxDiffUnits`, because many values may be compared at once.
const maxShortDiffUnits = 200_000
// Lengths in characters. A longer unchanged text is shown with its beginning and end only.
const maxUnchanged = 160
const keptAtEachEnd = 60
const maxShown = 400
const maxShownOfDataUrl = 40

const maxValues = 20

/** The values that changed inside a part of the task, such as `address › city`. Render it in a `dl`. */
export function ChangedValues({ values }: { values: ValueChange[] }) {
  const rest = values.length - maxValues
  return (
    <>
      {values.slice(0, maxValues).map(({ path, before, after }, n) => (
        <dd key={n}>
          {path.length > 0 && <span className={styles.path}>{bidiSafe(path.join(' › '))}: </span>}
          <ChangedValue before={before} after={after} />
        </dd>
      ))}
      {rest > 0 && <dd className={styles.path}>And {formatCount(rest)} more</dd>}
    </>
  )
}

/** A value before and after: words of a text, or the old and the new value. */
export function ChangedValue({ before, after }: { before: unknown; after: unknown }) {
  if (typeof before === 'string' && typeof after === 'string' && ![before, after].some(isDataUrl))
    return <ShortTextChanges before={before} after={after} />
  return (
    <span className={`${wordStyles.changes} ${styles.text}`}>
      {before !== undefined && <del>{bidiSafe(asText(before))}</del>}
      {before !== undefined && after !== undefined && ' '}
      {after !== undefined && <ins>{bidiSafe(asText(after))}</ins>}
    </span>
  )
}

function ShortTextChanges({ before, after }: { before: string; after: string }) {
  const { changes } = useMemo(() => diffWords(before, after, { units: maxShortDiffUnits }), [before, after])
  return (
    <span className={`${wordStyles.changes} ${styles.text}`} dir="auto">
      {changes.map(({ kind, text }, n) => {
        if (kind === 'same') return <span key={n}>{shortened(text)}</span>
        const Tag = kind === 'removed' ? 'del' : 'ins'
        const spaces = /\s*$/.exec(text)?.[0] ?? ''
        return (
          <span key={n}>
            <Tag>{bidiSafe(text.slice(0, text.length - spaces.length))}</Tag>
            {spaces || (n < changes.length - 1 && ' ')}
          </span>
        )
      })}
    </span>
  )
}

function shortened(text: string) {
  if (text.length <= maxUnchanged) return bidiSafe(text)
  const start = text.slice(0, text.lastIndexOf(' ', keptAtEachEnd) + 1 || keptAtEachEnd)
  const end = text.slice(text.indexOf(' ', text.length - keptAtEachEnd) + 1 || text.length - keptAtEachEnd)
  const words = wordsOf(text.slice(start.length, text.length - end.length)).length
  return (
    <>
      {bidiSafe(start)}
      <span className={styles.skipped}>… {pluralize(words, 'word')} unchanged … </span>
      {bidiSafe(end)}
    </>
  )
}

export function asText(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return truncate(text, isDataUrl(text) ? maxShownOfDataUrl : maxShown)
}

const isDataUrl = (text: string) => text.startsWith('data:')
