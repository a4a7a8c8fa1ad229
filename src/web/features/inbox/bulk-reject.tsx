import { useRef, useState } from 'react'
import { limits } from '../../../contract/limits.ts'
import { keyCap } from '../../lib/shortcuts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { KeyCap } from '../../ui/key-cap.tsx'
import { tasks } from './count.ts'

type Props = { count: number; onReject: (feedback: string) => void; onClose: () => void }

/** One reason for all of them. */
export function BulkReject({ count, onReject, onClose }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [feedback, setFeedback] = useState('')
  const [isMissing, setMissing] = useState(false)

  function reject() {
    if (feedback.trim() === '') {
      setMissing(true)
      field.current?.focus()
      return
    }
    onClose()
    onReject(feedback)
  }

  return (
    <Dialog
      title={`Reject ${tasks(count)}`}
      about="Their agents stop, and each reads your reason. It is sent at once and cannot be taken back."
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            Keep them open
          </button>
          <button type="button" className="btn primary" onClick={reject}>
            Reject {tasks(count)} <KeyCap>{keyCap.submit}</KeyCap>
          </button>
        </>
      }
    >
      <label className="lbl" htmlFor="bulk-feedback">
        Why?
      </label>
      <textarea
        ref={field}
        className="input"
        id="bulk-feedback"
        rows={4}
        maxLength={limits.feedback}
        value={feedback}
        placeholder="Say what the agents should do differently"
        aria-invalid={isMissing}
        aria-describedby={isMissing ? 'bulk-feedback-error' : undefined}
        onChange={(event) => {
          setFeedback(event.target.value)
          setMissing(false)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) reject()
        }}
      />
      {isMissing && (
        <FieldError id="bulk-feedback-error">
          Write a few words, so that the agents can learn from it.
        </FieldError>
      )}
    </Dialog>
  )
}
