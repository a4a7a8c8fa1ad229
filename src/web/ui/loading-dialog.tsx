import type { KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import styles from './dialog.module.css'
import { useReturnFocus } from './use-return-focus.ts'

const focus = (element: HTMLElement | null) => element?.focus()

export const notLoadedText = "This couldn't be loaded. Try again."

type Props = { title?: string; onClose: () => void }

/** Shown until the content of a dialog is loaded, or if it can't be. Takes the keys, which would be shortcuts otherwise. */
export function LoadingDialog({ title = 'Loading…', onClose }: Props) {
  const returnFocus = useReturnFocus()
  function close() {
    returnFocus()
    onClose()
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') close()
    // The focus stays here, and nothing behind it is pressed.
    else if (/^(Tab|Enter| )$/.test(event.key)) event.preventDefault()
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
      </div>
    </>,
    document.body,
  )
}
