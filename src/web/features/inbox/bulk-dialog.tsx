import { type ReactNode, type RefObject, useState } from 'react'
import { preference } from '../../lib/preferences.ts'
import { keyCap, useShortcuts } from '../../lib/shortcuts.ts'
import { useAnswerGate } from '../../lib/use-answer-gate.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { KeyCap } from '../../ui/key-cap.tsx'

export type BulkDialogCounts = {
  /** The tasks that were selected when the dialog was opened. */
  count: number
  /** Those that have not ended since. */
  stillOpenCount: number
}

type Props = BulkDialogCounts & {
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

/** Confirms an answer to the selected tasks, with its button or Ctrl+Enter. */
export function BulkDialog({
  count,
  stillOpenCount,
  title,
  description,
  confirmLabel,
  isShown = true,
  onConfirm,
  onClose,
  children,
}: Props) {
  const { gate, mark, marked } = useAnswerGate(isShown)
  const [isEarly, setEarly] = useState(false)

  const canSend = confirmLabel !== undefined && stillOpenCount > 0
  function send() {
    if (!canSend) return
    const isIntended = gate.tryAccept()
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
        <div className="contents" ref={mark}>
          <span className="push-apart text-meta text-neg-ink" role="status">
            {isEarly && 'The dialog had only just opened, so nothing was sent. Try again.'}
          </span>
          <button type="button" className="btn" onClick={onClose}>
            Cancel
          </button>
          {canSend && (
            <button type="button" className="btn primary" onClick={send}>
              {confirmLabel} <KeyCap>{keyCap.submit}</KeyCap>
            </button>
          )}
        </div>
      }
    >
      {children(marked)}
      <div role="status">
        {stillOpenCount < count && (
          <p className="above-8 text-warn-ink">{describeEnded(count, count - stillOpenCount)}</p>
        )}
      </div>
    </Dialog>
  )
}

function describeEnded(count: number, ended: number): string {
  if (ended < count)
    return `${ended} of these tasks ${ended === 1 ? 'has' : 'have'} ended and won't be answered.`
  return `${count === 1 ? 'This task has' : 'All of these tasks have'} ended, so there is nothing to answer.`
}
