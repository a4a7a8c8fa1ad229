import { Diff } from 'lucide-react'
import { useMemo } from 'react'
import { maxDiffUnits } from '../../../../contract/edits/diff-tokens.ts'
import { diffWords } from '../../../../contract/edits/word-diff.ts'
import { fieldLabel } from '../../../../contract/forms/field-label.ts'
import type { PrefilledField } from '../../../../contract/forms/prefill.ts'
import { escapeBidi } from '../../../lib/escape-bidi.ts'
import { usePreference } from '../../../lib/preferences.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Value } from '../../../widgets/value.tsx'
import { describeEdit, WordChanges } from '../../../widgets/word-changes.tsx'
import { toggleChanges } from '../../form/use-changes-shortcut.ts'
import styles from './edited-answer.module.css'

type Props = { field: PrefilledField; after: unknown }

/** A prefilled field that the person changed: what they changed, or only what they sent. */
export function EditedAnswer({ field, after }: Props) {
  const showsChanges = usePreference('showChanges') === 'on'
  const { value: before, property, hints, steps } = field
  const label = fieldLabel(steps.at(-1)!, property, hints)
  return (
    <section className={styles.edited} aria-label={`Edited: ${escapeBidi(label)}`}>
      <header>
        <h3>
          <bdi>{bidiSafe(label)}</bdi>
        </h3>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset needs a legend; this is a button */}
        <div className="tools" role="group" aria-label="Editing tools">
          <button type="button" aria-pressed={showsChanges} onClick={toggleChanges}>
            <Icon of={Diff} />
            Changes
          </button>
        </div>
      </header>
      {!showsChanges ? (
        <Value value={after ?? null} hints={{}} />
      ) : typeof before === 'string' && (typeof after === 'string' || after === undefined) ? (
        <TextChanges before={before} after={after ?? ''} />
      ) : (
        <Value value={{ before: asJson(before), after: asJson(after) }} hints={{ widget: 'diff' }} />
      )}
    </section>
  )
}

function TextChanges({ before, after }: { before: string; after: string }) {
  const diff = useMemo(() => diffWords(before, after, { units: maxDiffUnits }), [before, after])
  return (
    <>
      <WordChanges changes={diff.changes} />
      <p className="help num">{describeEdit(diff)}</p>
    </>
  )
}

function asJson(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}
