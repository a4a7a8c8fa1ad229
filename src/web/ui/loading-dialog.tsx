import type { KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import styles from './dialog.module.css'
import { useReturnFocus } from './use-return-focus.ts'

const focus = (element: HTMLElement | null) => element?.focus()
const focusNext = (buttons: Element[]) =>
  focus(buttons[(buttons.indexOf(document.activeElement!) + 1) % buttons.length] as HTMLElement | null)

type Props = {
  title?: string
  /** The dialog or menu can't be loaded. */
  hasFailed?: boolean
  /** Undefined: the dialog can't be closed. */
  onClose?: () => void
}

export const notLoaded = "This part couldn't be loaded."

/** A reload keeps answers and messages that were written and not sent: they are stored in the browser. */
export function ReloadButton({ isSmall = false }) {
  return (
    <button type="button" className={isSmall ? 'btn small' : 'btn primary'} onClick={() => location.reload()}>
      Reload the page
    </button>
  )
}

/**
 * Shown while a dialog or menu is loading, if loading failed, and during sign-out. Receives the keys,
 * which would be shortcuts of the page otherwise.
 */
export function LoadingDialog({ hasFailed = false, onClose, ...props }: Props) {
  const title = hasFailed ? notLoaded : (props.title ?? 'Loading…')
  const returnFocus = useReturnFocus()
  function close() {
    if (!onClose) return
    returnFocus()
    onClose()
  }
  function onKeyDown(event: KeyboardEvent) {
    const { key, currentTarget, target } = event
    // The focus stays in this dialog, and nothing on the page is activated.
    if (key === 'Tab' || (/^(Enter| )$/.test(key) && target === currentTarget)) event.preventDefault()
    if (key === 'Tab') focusNext([...currentTarget.querySelectorAll('button')])
    if (key === 'Escape') close()
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
            <>
              <button type="button" className="btn" onClick={close}>
                Close
              </button>
              <ReloadButton />
            </>
          )}
        </footer>
      </div>
    </>,
    document.body,
  )
}
