import { useRef } from 'react'
import { keyCap, useShortcuts } from '../../../lib/shortcuts.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { KeyCap } from '../../../ui/key-cap.tsx'

type Props = { onConfirm: () => void; onClose: () => void }

/** Asks for confirmation. Needed only if answers cannot be undone. */
export function MarkDoneDialog({ onConfirm, onClose }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  useShortcuts({ '$mod+Enter': onConfirm }, button)
  return (
    <Dialog
      title="Mark done?"
      description="Your answer is “Mark done”. It takes effect immediately and can't be undone."
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            Cancel
          </button>
          <button type="button" className="btn primary" ref={button} onClick={onConfirm}>
            Mark done <KeyCap>{keyCap.submit}</KeyCap>
          </button>
        </>
      }
    >
      {null}
    </Dialog>
  )
}
