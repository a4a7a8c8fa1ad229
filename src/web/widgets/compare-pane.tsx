import { Check } from 'lucide-react'
import { type MouseEvent, useId } from 'react'
import { nameOf } from '../../contract/compare.ts'
import { type JsonObject, own } from '../../contract/forms/json.ts'
import { classes } from '../lib/classes.ts'
import { escapeBidi } from '../lib/escape-bidi.ts'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import { Icon } from '../ui/icon.tsx'
import { KeyCap } from '../ui/key-cap.tsx'
import compareStyles from './compare.module.css'
import { sourceOf, sourcesOf } from './comparisons.ts'
import { ElementFields } from './element-fields.tsx'
import { type Hints, hintsOf } from './hints.ts'
import { KeyValues } from './key-values.tsx'
import { type Marks, MarksContext } from './marks.tsx'
import { isScalar, isShort } from './scalar.tsx'
import type { useSyncedScroll } from './use-synced-scroll.ts'
import { Value } from './value.tsx'

type Props = {
  item: JsonObject
  name: string
  isBlind: boolean
  isPicked: boolean
  /** The pane that is shown on narrow screens. */
  isActive: boolean
  onPick: (() => void) | undefined
  /** The key that picks this pane. */
  digit: number | undefined
  responseHints: Hints
  /** Hints for the other fields. */
  fieldHints: JsonObject
  marks: Marks | undefined
  scroll: ReturnType<typeof useSyncedScroll>
}

export function ComparePane(props: Props) {
  const { item, name, isBlind, isPicked, isActive, onPick, digit, responseHints, fieldHints, marks, scroll } =
    props
  const nameId = useId()
  const source = isBlind ? undefined : sourceOf(item)
  const hasResponse = Object.hasOwn(item, 'response')
  // Other fields could identify the item, so a blind comparison shows only the response. If there is
  // no response, it shows all fields except the name and the sources. `ours` is never shown, because it
  // is only for the feedback analysis.
  const sources = isBlind ? sourcesOf(item).map(({ field }) => field) : [source?.field ?? '']
  const notListed = ['response', ...sources]
  // A name that is not a text is not in the header, so it is shown with the other fields.
  if (isBlind || nameOf(item) !== undefined) notListed.push('name')
  if (typeof own(item, 'ours') === 'boolean') notListed.push('ours')
  const otherFields = Object.entries(item).filter(([field]) => !notListed.includes(field))
  const hidesOthers = isBlind && hasResponse && otherFields.length > 0
  return (
    // biome-ignore lint/a11y: the button in its header does the same for keyboards and screen readers
    <article
      className={classes(
        compareStyles.pane,
        isPicked && compareStyles.picked,
        isActive && compareStyles.active,
        onPick && 'pickable',
      )}
      aria-labelledby={nameId}
      onClick={(event) => isClickOnPane(event) && onPick?.()}
    >
      <header>
        {digit !== undefined && <KeyCap>{digit}</KeyCap>}
        <h3 id={nameId}>
          <bdi>{bidiSafe(name)}</bdi>
        </h3>
        {source && (
          <span className={`mono ${compareStyles.who}`} title={escapeBidi(source.text)}>
            <bdi>{bidiSafe(source.text)}</bdi>
          </span>
        )}
        {onPick ? (
          <button
            type="button"
            className={compareStyles.pick}
            aria-pressed={isPicked}
            aria-label={isPicked ? `Your pick: ${escapeBidi(name)}` : `Pick ${escapeBidi(name)}`}
            onClick={onPick}
          >
            {isPicked && <Icon of={Check} />}
            {isPicked ? 'Your pick' : 'Pick'}
          </button>
        ) : (
          isPicked && (
            <span className={compareStyles.pick}>
              <Icon of={Check} />
              Picked
            </span>
          )
        )}
      </header>
      <div
        className={compareStyles.paneBody}
        ref={scroll.paneRef}
        onScroll={scroll.onScroll}
        {...(scroll.isNeeded && { tabIndex: 0, role: 'group', 'aria-labelledby': nameId })}
      >
        {hasResponse && (
          <MarksContext value={marks}>
            <Value value={own(item, 'response')} hints={responseHints} />
          </MarksContext>
        )}
        {hidesOthers ? (
          <p className="help">
            {otherFields.length === 1 ? '1 more field is' : `${otherFields.length} more fields are`} hidden
            while names are hidden.
          </p>
        ) : (
          <OtherFields fields={otherFields} hints={fieldHints} />
        )}
      </div>
    </article>
  )
}

/** Fields with short values as pairs of name and value. If one is longer, each value is below its name. */
function OtherFields({ fields, hints }: { fields: [string, unknown][]; hints: JsonObject }) {
  const element = Object.fromEntries(fields)
  if (fields.length === 0) return null
  const areShort = fields.every(
    ([name, value]) => isScalar(value) && isShort(value) && !hintsOf(hints, name).widget,
  )
  return areShort ? (
    <KeyValues object={element} hints={{ fields: hints }} />
  ) : (
    <ElementFields element={element} hints={hints} heading="h4" />
  )
}

/** Ignores clicks on controls, clicks that end a text selection, and touches. */
function isClickOnPane({ target, nativeEvent }: MouseEvent): boolean {
  if ((nativeEvent as PointerEvent).pointerType === 'touch') return false
  const isControl =
    target instanceof Element && target.closest('a, button, input, select, textarea, summary, label')
  return !isControl && String(document.getSelection() ?? '') === ''
}
