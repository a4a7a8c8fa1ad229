import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import dialogStyles from '../../ui/dialog.module.css'
import { Icon } from '../../ui/icon.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import styles from './answer-sheet.module.css'

type Props = { title: string; onClose: () => void; children: ReactNode; footer: ReactNode }

export function AnswerSheet({ title, onClose, children, footer }: Props) {
  const returnFocus = useReturnFocus()
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={dialogStyles.overlay} />
        <Radix.Content
          className={styles.sheet}
          aria-describedby={undefined}
          onOpenAutoFocus={focusSheet}
          onCloseAutoFocus={returnFocus}
        >
          <header>
            <Radix.Title>
              <bdi>{bidiSafe(title)}</bdi>
            </Radix.Title>
            <Radix.Close className="btn square" aria-label="Close">
              <Icon of={X} />
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
