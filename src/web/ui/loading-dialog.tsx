import { X } from 'lucide-react'
import { type KeyboardEvent, useId } from 'react'
import { createPortal } from 'react-dom'
import styles from './dialog.module.css'
import { Icon } from './icon.tsx'
import { useReturnFocus } from './use-return-focus.ts'

const focus = (element: HTMLElement | null) => element?.focus()

/** Shown until the content of a dialog is loaded. Takes the keys, which would be shortcuts otherwise. */
export function LoadingDialog({ onClose }: { onClose: () => void }) {
  const returnFocus = useReturnFocus()
  const titleId = useId()
  function close() {
    returnFocus(new Event('close'))
    onClose()
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') close()
    // The focus stays here, and nothing behind it is pressed.
    else if (!event.ctrlKey && !event.metaKey && !/^F\d/.test(event.key)) event.preventDefault()
  }
  return createPortal(
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside a dialog closes it; Escape does the same */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same */}
      <div className={styles.overlay} onClick={close} />
      <div
        className={styles.dialog}
        role="dialog"
        aria-modal="true"
        aria-labelledby={titleId}
        tabIndex={-1}
        ref={focus}
        onKeyDown={onKeyDown}
      >
        <header>
          <div>
            <h2 id={titleId}>Loading…</h2>
          </div>
          <button type="button" className="btn square" aria-label="Close" onClick={close}>
            <Icon of={X} />
          </button>
        </header>
        <div className={styles.content} />
      </div>
    </>,
    document.body,
  )
}
