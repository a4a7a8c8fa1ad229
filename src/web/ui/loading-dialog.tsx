import { createPortal } from 'react-dom'
import styles from './dialog.module.css'

/** Shown until the content of a dialog is loaded. Takes the keys, which would be shortcuts otherwise. */
export function LoadingDialog({ onClose }: { onClose: () => void }) {
  return createPortal(
    <>
      <div className={styles.overlay} />
      <div
        className={styles.dialog}
        role="dialog"
        aria-modal="true"
        aria-label="Loading…"
        tabIndex={-1}
        ref={(dialog) => dialog?.focus()}
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
      >
        <header>
          <div>
            <h2>Loading…</h2>
          </div>
        </header>
        <div className={styles.content} />
      </div>
    </>,
    document.body,
  )
}
