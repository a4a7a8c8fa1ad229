import { ChevronDown } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, type RefObject, useCallback, useRef } from 'react'
import { type Shortcuts, useShortcuts } from '../../../lib/shortcuts.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import dialogStyles from '../../../ui/dialog.module.css'
import { Icon } from '../../../ui/icon.tsx'
import { useReturnFocus } from '../../../ui/use-return-focus.ts'
import styles from './answer-sheet.module.css'
import { useKeyboardInset } from './use-keyboard-inset.ts'

type Props = {
  title: string
  /** Where the form is scrolled to, kept for when the sheet opens again. */
  scrolledTo?: RefObject<number>
  /** Shortcuts of the sheet. Those of the page are inactive while the sheet is open. */
  shortcuts?: Shortcuts
  onClose: () => void
  children?: ReactNode
  footer: ReactNode
}

/** A sheet on a phone, with the form of an action or a question to the agent. */
export function AnswerSheet({ title, scrolledTo, shortcuts = {}, onClose, children, footer }: Props) {
  const returnFocus = useReturnFocus()
  const sheet = useRef<HTMLDivElement | null>(null)
  // Always the same function, so that React calls it, and it scrolls the form, only when the sheet
  // opens.
  const attach = useCallback(
    (element: HTMLDivElement | null) => {
      sheet.current = element
      if (scrolledTo) element?.querySelector('[data-answer-form]')?.scrollTo({ top: scrolledTo.current })
    },
    [scrolledTo],
  )
  useKeyboardInset(sheet)
  useShortcuts(shortcuts, sheet)
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={dialogStyles.overlay} />
        <Radix.Content
          ref={attach}
          className={styles.sheet}
          aria-describedby={undefined}
          onOpenAutoFocus={focusSheet}
          onCloseAutoFocus={returnFocus}
          onScrollCapture={({ target }) => {
            if (scrolledTo && target instanceof HTMLElement && target.matches('[data-answer-form]'))
              scrolledTo.current = target.scrollTop
          }}
        >
          <header>
            <Radix.Title>
              <bdi>{bidiSafe(title)}</bdi>
            </Radix.Title>
            <Radix.Close className="btn square" aria-label="Close">
              <Icon of={ChevronDown} />
            </Radix.Close>
          </header>
          {children}
          <footer>{footer}</footer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Focusing the first field would open the on-screen keyboard too early. */
function focusSheet(event: Event) {
  event.preventDefault()
  ;(event.currentTarget as HTMLElement).focus()
}
