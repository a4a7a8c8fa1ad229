import { Fragment } from 'react'
import { editLevel, type WordDiff } from '../../contract/edits/word-diff.ts'
import { formatCount, pluralize } from '../lib/count.ts'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import styles from './word-changes.module.css'

const elements = { same: Fragment, removed: 'del', added: 'ins' } as const

/** A text with what was removed and added, word by word. */
export function WordChanges({ changes }: Pick<WordDiff, 'changes'>) {
  return (
    <div className={`prose-text ${styles.changes}`} dir="auto">
      {changes.map(({ kind, text }, n) => {
        const Element = elements[kind]
        // White space at the end of a change is not marked. Between a removed text and the text that
        // replaces it there is a single space, because the line break, if any, follows the new text.
        const words = text.trimEnd()
        const isReplaced = kind === 'removed' && changes[n + 1]?.kind === 'added'
        return (
          <Fragment key={n}>
            <Element>{bidiSafe(words)}</Element>
            {isReplaced ? ' ' : text.slice(words.length)}
          </Fragment>
        )
      })}
    </div>
  )
}

/** "12 of 71 words changed · light edit" */
export function describeEdit({ count }: WordDiff): string {
  if (count.changed === 0) return 'Only spaces or line breaks changed'
  const words = `${formatCount(count.changed)} of ${pluralize(count.total, 'word')} changed`
  return `${words} · ${editLevel(count, true)} edit`
}
