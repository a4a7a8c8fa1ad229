import { useRef, useState } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import { keyCap, useShortcuts } from '../../lib/shortcuts.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { KeyCap } from '../../ui/key-cap.tsx'
import { ProblemStrip } from '../../ui/strip.tsx'
import { FeedbackField } from './feedback-field.tsx'
import { saveReason, suggestedReasons } from './recent-reasons.ts'
import styles from './reject-dialog.module.css'

type Props = {
  /** Text from the draft. */
  initial: string
  /** The problem of a previous attempt. */
  previousProblem: HandrailProblem | undefined
  onChange: (feedback: string) => void
  onReject: (feedback: string) => Promise<HandrailProblem | undefined>
  onClose: () => void
}

export function RejectDialog({ initial, previousProblem, onChange, onReject, onClose }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const { me, workspaceId } = useWorkspace()
  const writer = { workspaceId, userId: me.person.userId }
  const [reasons] = useState(() => suggestedReasons(writer))
  const [feedback, setFeedback] = useState(initial)
  const [isMissing, setMissing] = useState(false)
  const [problem, setProblem] = useState(previousProblem)
  const isSending = useRef(false)

  async function reject() {
    if (feedback.trim() === '') {
      setMissing(true)
      field.current?.focus()
      return
    }
    if (isSending.current) return
    isSending.current = true
    const rejectionProblem = await onReject(feedback)
    isSending.current = false
    if (rejectionProblem) return setProblem(rejectionProblem)
    saveReason(writer, feedback)
    onClose()
  }

  useShortcuts({ '$mod+Enter': () => void reject() }, field)

  function write(text: string) {
    setFeedback(text)
    setMissing(false)
    onChange(text)
  }

  function fill(reason: string) {
    write(feedback.trim() === '' ? `${reason}. ` : `${feedback.trimEnd()} ${reason}. `)
    field.current?.focus()
  }

  return (
    <Dialog
      title="Reject task"
      description="The agent stops and receives your reason. It also counts in the feedback analysis."
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            Cancel
          </button>
          <button type="button" className="btn primary" onClick={() => void reject()}>
            Reject task <KeyCap>{keyCap.submit}</KeyCap>
          </button>
        </>
      }
    >
      {problem && <ProblemStrip message="The task wasn't rejected." problem={problem} />}
      <div className={styles.reasons}>
        {reasons.map((reason) => (
          <button key={reason} type="button" className={styles.reason} onClick={() => fill(reason)}>
            <bdi>{bidiSafe(reason)}</bdi>
          </button>
        ))}
      </div>
      <FeedbackField
        field={field}
        value={feedback}
        readers="the agent"
        isMissing={isMissing}
        onChange={write}
      />
    </Dialog>
  )
}
