import { type KeyboardEvent, useState } from 'react'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import styles from './option-list.module.css'
import type { Colleague } from './use-colleagues.ts'

/** Which of the options the arrow keys have reached. The first one after the options have changed. */
export function useHighlight(options: Colleague[]) {
  const key = options.map(({ value }) => value).join('\n')
  const [reached, setReached] = useState({ key, index: 0 })
  const index = reached.key === key ? reached.index : 0
  return {
    index,
    option: options[index],
    /** True: the key moved the highlight. */
    move(event: KeyboardEvent): boolean {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (step === 0 || options.length === 0) return false
      event.preventDefault()
      setReached({ key, index: (index + step + options.length) % options.length })
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

/** The options of a text field: it keeps the focus, and refers to the highlighted one by `optionId`. */
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
