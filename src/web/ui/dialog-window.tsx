import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import styles from './dialog.module.css'
import type { DialogProps } from './dialog.tsx'
import { Icon } from './icon.tsx'

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

/** Focuses the first text field, or the dialog itself rather than its close button. */
function focusFirstField(event: Event) {
  event.preventDefault()
  const dialog = event.currentTarget as HTMLElement
  ;(dialog.querySelector<HTMLElement>('textarea, input') ?? dialog).focus()
}
