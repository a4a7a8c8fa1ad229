import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import styles from './dialog.module.css'
import { Icon } from './icon.tsx'
import { useCloseOnBack } from './use-close-on-back.ts'

export type DialogProps = {
  title: string
  description?: string
  isWide?: boolean
  /** The content may be longer than the window and contains no control. */
  scrolls?: boolean
  onClose: () => void
  /** Escape closes the dialog unless this returns true, because something inside it was closed instead. */
  onEscape?: () => boolean
  children: ReactNode
  footer?: ReactNode
}

type Props = DialogProps & { returnFocus: (event: Event) => void }

export default function DialogWindow({
  title,
  description,
  isWide = false,
  scrolls = false,
  onClose,
  onEscape,
  children,
  footer,
  returnFocus,
}: Props) {
  useCloseOnBack(onClose)
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={styles.overlay} />
        <Radix.Content
          className={isWide ? `${styles.dialog} ${styles.wide}` : styles.dialog}
          onOpenAutoFocus={focusFirstField}
          onCloseAutoFocus={returnFocus}
          onEscapeKeyDown={(event) => onEscape?.() && event.preventDefault()}
          {...(!description && { 'aria-describedby': undefined })}
        >
          <header>
            <div>
              <Radix.Title>{title}</Radix.Title>
              {description && <Radix.Description>{description}</Radix.Description>}
            </div>
            <Radix.Close className="btn square" aria-label="Close">
              <Icon of={X} />
            </Radix.Close>
          </header>
          {/* Focusable, because a long text without controls can only be scrolled with the keyboard if it has the focus. */}
          <div className={styles.content} tabIndex={scrolls ? 0 : undefined}>
            {children}
          </div>
          {footer && <footer>{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Focuses the first input or text area; without one, the dialog itself rather than its Close button. */
function focusFirstField(event: Event) {
  event.preventDefault()
  const dialog = event.currentTarget as HTMLElement
  ;(dialog.querySelector<HTMLElement>('textarea, input') ?? dialog).focus()
}
