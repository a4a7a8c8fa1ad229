import type { WidgetProps } from '@rjsf/utils'
import { RotateCcw, Undo2 } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { maxDiffUnits } from '../../../contract/edits/diff-tokens.ts'
import { diffWords } from '../../../contract/edits/word-diff.ts'
import { classes } from '../../lib/classes.ts'
import { usePreference } from '../../lib/preferences.ts'
import { Icon } from '../../ui/icon.tsx'
import { describeEdit, WordChanges } from '../../widgets/word-changes.tsx'
import type { EditOptions } from './edited-fields.ts'
import styles from './edited-text.module.css'
import { TextInput } from './text-input.tsx'
import { TextareaWidget } from './textarea-widget.tsx'

/** A text that the agent wrote, and what the person has changed. */
export default function EditedText(props: WidgetProps) {
  const { id, value, options, disabled, readonly, onChange } = props
  const { before, isLong } = options.edit as EditOptions
  const after = typeof value === 'string' ? value : ''
  const isChanged = after !== before
  /** The text that the last reset or restore has replaced. */
  const [discarded, setDiscarded] = useState<string>()
  const showsChanges = usePreference('showChanges') === 'on'
  // Comparing long texts would delay typing.
  const compared = useDeferredValue(after)
  const diff = useMemo(() => diffWords(before, compared, { units: maxDiffUnits }), [before, compared])

  function replaceText(text: string) {
    setDiscarded(after)
    onChange(text)
    // The clicked button disappears, and would take the focus with it.
    document.getElementById(id)?.focus()
  }

  return (
    <div className={classes(styles.edited, isLong && styles.long)} data-editor>
      <div className={styles.panes}>
        <div className={styles.mine}>
          {isLong ? (
            <>
              <p className={styles.head} aria-hidden="true">
                Your text
              </p>
              <TextareaWidget {...props} options={{ ...options, rows: options.rows ?? 6 }} />
            </>
          ) : (
            <TextInput {...(props as Parameters<typeof TextInput>[0])} />
          )}
        </div>
        {showsChanges && (isLong || isChanged) && (
          <section className={styles.changes} aria-label="Changes from the agent's text">
            {isLong && (
              <p className={styles.head} aria-hidden="true">
                Changes <span>from the agent's text</span>
              </p>
            )}
            {isChanged ? <WordChanges changes={diff.changes} /> : <p className="help">No changes yet.</p>}
          </section>
        )}
      </div>
      {isChanged && (
        <p className={styles.summary}>
          <span className="num">{describeEdit(diff)}</span>
          <button
            type="button"
            className="btn small quiet"
            disabled={disabled || readonly}
            onClick={() => replaceText(before)}
          >
            <Icon of={RotateCcw} />
            Reset to the agent's text
          </button>
        </p>
      )}
      {!isChanged && discarded !== undefined && discarded !== before && (
        <p className={styles.summary}>
          <button
            type="button"
            className="btn small quiet"
            disabled={disabled || readonly}
            onClick={() => replaceText(discarded)}
          >
            <Icon of={Undo2} />
            Restore your text
          </button>
        </p>
      )}
    </div>
  )
}
