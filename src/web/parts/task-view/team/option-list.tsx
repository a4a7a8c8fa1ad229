import { type KeyboardEvent, useState } from 'react'
import { isComposing } from '../../../lib/is-composing.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import styles from './option-list.module.css'
import type { Colleague } from './use-colleagues.ts'

/**
 * Which option is highlighted: the one that the person has moved to by arrow keys or a click. Once
 * they type, or if that option is no longer offered, the first option is highlighted if
 * `startsAtFirst`, otherwise none.
 */
export function useHighlight(options: Colleague[], typed: string | undefined, startsAtFirst = true) {
  const [reached, setReached] = useState<{ value: string | undefined; typed: string | undefined }>()
  // Found by value, because options that load later may be inserted above it.
  const found = options.findIndex(({ value }) => value === reached?.value && typed === reached.typed)
  const index = found === -1 && startsAtFirst ? 0 : found
  return {
    index,
    option: options[index],
    moveTo({ value }: Colleague) {
      setReached({ value, typed })
    },
    /** Moves the highlight if the key is Arrow Up or Down. Returns whether it did. */
    move(event: KeyboardEvent): boolean {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (step === 0 || options.length === 0 || isComposing(event)) return false
      event.preventDefault()
      const start = index === -1 && step === -1 ? 0 : index
      setReached({ value: options[(start + step + options.length) % options.length]?.value, typed })
      return true
    },
  }
}

type Props = {
  id: string
  label: string
  options: Colleague[]
  index: number
  onPick: (option: Colleague) => void
}

/**
 * The options below a text field. The field keeps the focus, and refers to the highlighted option by
 * `optionId`.
 */
export function OptionList({ id, label, options, index, onPick }: Props) {
  return (
    <div className={styles.options} role="listbox" id={id} aria-label={label}>
      {options.map((option, n) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the text field keeps the focus
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys
        <div
          key={option.value}
          role="option"
          id={optionId(id, n)}
          aria-selected={n === index}
          ref={n === index ? scrollIntoView : undefined}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(option)}
        >
          <b>
            <bdi>{bidiSafe(option.name)}</bdi>
          </b>
          <span>
            <bdi>{bidiSafe(option.detail)}</bdi>
          </span>
        </div>
      ))}
    </div>
  )
}

export function optionId(listId: string, n: number): string {
  return `${listId}-${n}`
}

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView?.({ block: 'nearest' })
}
