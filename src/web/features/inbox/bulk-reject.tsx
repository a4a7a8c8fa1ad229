import { useRef, useState } from 'react'
import { pluralize } from '../../lib/count.ts'
import { FeedbackField } from '../../parts/task-view/feedback-field.tsx'
import { BulkDialog } from './bulk-dialog.tsx'

type Props = { count: number; onReject: (feedback: string) => void; onClose: () => void }

/** Rejects all selected tasks with the same feedback. */
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
    <BulkDialog
      title={`Reject ${pluralize(count, 'task')}?`}
      description="The agents stop and receive your reason."
      confirmLabel={`Reject ${pluralize(count, 'task')}`}
      onConfirm={reject}
      onClose={onClose}
    >
      {() => (
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
      )}
    </BulkDialog>
  )
}
