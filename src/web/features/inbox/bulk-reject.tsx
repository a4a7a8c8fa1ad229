import { useRef, useState } from 'react'
import { pluralize } from '../../lib/count.ts'
import { FeedbackField } from '../../parts/task-view/answering/feedback-field.tsx'
import { BulkDialog, type BulkDialogCounts } from './bulk-dialog.tsx'

type Props = BulkDialogCounts & { onReject: (feedback: string) => void; onClose: () => void }

/** Rejects all selected tasks with the same feedback. */
export function BulkReject({ count, stillOpenCount, onReject, onClose }: Props) {
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
      count={count}
      stillOpenCount={stillOpenCount}
      title={`Reject ${pluralize(count, 'task')}?`}
      description="Each task ends, unless it needs more answers. Once it has ended, its agent receives your reason."
      confirmLabel={`Reject ${pluralize(stillOpenCount, 'task')}`}
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
