import type { Action } from '../../../../contract/action.ts'
import { isObject, type JsonObject, own } from '../../../../contract/forms/json.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { answerForDisplay } from '../result/answer-for-display.ts'
import dockStyles from './dock.module.css'

// In characters. The line is cut off with an ellipsis long before.
const maxLength = 400

/** The chosen action and what has been filled in, in words: "Refund part · 89, Card ending 4410". */
export default function DraftSummary({ action, data }: { action: Action; data: JsonObject | undefined }) {
  const { value, ui } = answerForDisplay(action, data ?? {})
  const values = wordsOf(value, data, ui, '').join(', ').slice(0, maxLength)
  return (
    <span className={dockStyles.summary}>
      <bdi>{bidiSafe(action.title)}</bdi>
      {values && (
        <>
          {' · '}
          <bdi>{bidiSafe(values)}</bdi>
        </>
      )}
    </span>
  )
}

/**
 * A value as words. A checked box is named by its title, and an unchecked box is left out. `raw` is
 * what the answer contains where `value` has labels.
 */
function wordsOf(value: unknown, raw: unknown, ui: unknown, title: string): string[] {
  if (Array.isArray(value)) {
    const hints = isObject(ui) ? own(ui, 'items') : undefined
    return value.flatMap((item, n) => wordsOf(item, Array.isArray(raw) ? raw[n] : undefined, hints, title))
  }
  if (isObject(value))
    return Object.entries(value).flatMap(([name, inner]) => {
      const hints = isObject(ui) ? own(ui, name) : undefined
      const given = isObject(hints) ? own(hints, 'ui:title') : undefined
      const innerRaw = isObject(raw) ? own(raw, name) : undefined
      return wordsOf(inner, innerRaw, hints, typeof given === 'string' ? given : name)
    })
  // A box without labels of its own is shown by its title if it is checked.
  const isBox = typeof raw === 'boolean' && [true, false, 'Yes', 'No'].includes(value as never)
  if (isBox) return raw ? [title] : []
  return value === null || value === undefined ? [] : [String(value).replaceAll(/\s+/g, ' ')]
}
