import { type ReactNode, type RefObject, useState } from 'react'
import { preference } from '../../lib/preferences.ts'
import { keyCap, useShortcuts } from '../../lib/shortcuts.ts'
import { useAnswerGate } from '../../lib/use-answer-gate.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { KeyCap } from '../../ui/key-cap.tsx'

type Props = {
  title: string
  /** What happens. The dialog appends how long it can be undone. */
  description: string
  /** Label of the primary button. Undefined while there is nothing to send. */
  confirmLabel: ReactNode | undefined
  /** False while the content is still loading. */
  isShown?: boolean
  onConfirm: () => void
  onClose: () => void
  /** `inside`: scope for additional shortcuts. */
  children: (inside: RefObject<HTMLElement | null>) => ReactNode
}

/** Sends one answer to many tasks, by button or Ctrl+Enter. */
export function BulkDialog({
  title,
  description,
  confirmLabel,
  isShown = true,
  onConfirm,
  onClose,
  children,
}: Props) {
  const { gate, marked } = useAnswerGate(isShown)
  const [isEarly, setEarly] = useState(false)

  function send() {
    if (confirmLabel === undefined) return
    const isIntended = gate.accepts()
    setEarly(!isIntended)
    if (isIntended) onConfirm()
  }

  useShortcuts(
    {
      '$mod+Enter': (event) => {
        event.preventDefault()
        send()
      },
    },
    marked,
  )

  const seconds = Number(preference('undoSeconds'))
  return (
    <Dialog
      title={title}
      description={`${description} ${seconds > 0 ? `You can undo this for ${seconds} seconds.` : "This takes effect immediately and can't be undone."}`}
      onClose={onClose}
      footer={
        <div className="contents" ref={marked}>
          <span className="push-apart text-meta text-neg-ink" role="status">
            {isEarly && 'The dialog had only just opened, so nothing was sent. Try again.'}
          </span>
          <button type="button" className="btn" onClick={onClose}>
            Cancel
          </button>
          {confirmLabel !== undefined && (
            <button type="button" className="btn primary" onClick={send}>
              {confirmLabel} <KeyCap>{keyCap.submit}</KeyCap>
            </button>
          )}
        </div>
      }
    >
      {children(marked)}
    </Dialog>
  )
}
