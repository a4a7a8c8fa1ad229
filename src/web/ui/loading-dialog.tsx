import type { KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import styles from './dialog.module.css'
import { useReturnFocus } from './use-return-focus.ts'

const focus = (element: HTMLElement | null) => element?.focus()

type Props = {
  title?: string
  /** The content can't be loaded. */
  hasFailed?: boolean
  onClose: () => void
}

/** Shown until the content of a dialog is loaded, or if it can't be. Takes the keys, which would be shortcuts otherwise. */
export function LoadingDialog({ hasFailed = false, onClose, ...props }: Props) {
  const title = hasFailed ? "This couldn't be loaded. Try again." : (props.title ?? 'Loading…')
  const returnFocus = useReturnFocus()
  function close() {
    returnFocus()
    onClose()
  }
  function onKeyDown(event: KeyboardEvent) {
    // The focus stays here, and nothing behind it is pressed.
    if (/^(Tab|Enter| )$/.test(event.key)) event.preventDefault()
    if (event.key === 'Escape' || (hasFailed && event.key === 'Enter')) close()
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
        aria-label={title}
        tabIndex={-1}
        ref={focus}
        onKeyDown={onKeyDown}
      >
        <header>
          <h2>{title}</h2>
        </header>
        <footer>
          {hasFailed && (
            <button type="button" className="btn" onClick={close}>
              Close
            </button>
          )}
        </footer>
      </div>
    </>,
    document.body,
  )
}
