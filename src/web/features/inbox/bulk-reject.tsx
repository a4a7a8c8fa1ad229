import { useRef, useState } from 'react'
import { keyCap, useShortcuts } from '../../lib/shortcuts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { KeyCap } from '../../ui/key-cap.tsx'
import { FeedbackField } from '../task/feedback-field.tsx'
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

  useShortcuts({ '$mod+Enter': reject }, field)

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
      <FeedbackField
        field={field}
        value={feedback}
        readers="the agents"
        isMissing={isMissing}
        onChange={(text) => {
          setFeedback(text)
          setMissing(false)
        }}
      />
    </Dialog>
  )
}
