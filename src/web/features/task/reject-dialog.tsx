import { useRef, useState } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import { limits } from '../../../contract/limits.ts'
import { keyCap } from '../../lib/shortcuts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { KeyCap } from '../../ui/key-cap.tsx'
import { ProblemStrip } from '../../ui/strip.tsx'

const reasons = ['Not enough context', 'Wrong information', 'Should not ask a person']

type Props = {
  onReject: (feedback: string) => Promise<HandrailProblem | undefined>
  onClose: () => void
}

export function RejectDialog({ onReject, onClose }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [feedback, setFeedback] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [problem, setProblem] = useState<HandrailProblem>()
  const isSending = useRef(false)

  async function reject() {
    if (feedback.trim() === '') {
      setMissing(true)
      field.current?.focus()
      return
    }
    if (isSending.current) return
    isSending.current = true
    const refused = await onReject(feedback)
    isSending.current = false
    if (refused) setProblem(refused)
    else onClose()
  }

  function fill(reason: string) {
    setFeedback((text) => (text.trim() === '' ? `${reason}. ` : `${text.trimEnd()} ${reason}. `))
    setMissing(false)
    field.current?.focus()
  }

  return (
    <Dialog
      title="Reject this request"
      about="The agent stops and reads your reason. It also feeds the analysis."
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            Keep it open
          </button>
          <button type="button" className="btn primary" onClick={() => void reject()}>
            Reject request <KeyCap>{keyCap.submit}</KeyCap>
          </button>
        </>
      }
    >
      {problem && <ProblemStrip what="Not rejected." problem={problem} />}
      <div className="mb-3 flex flex-wrap gap-1.5">
        {reasons.map((reason) => (
          <button
            key={reason}
            type="button"
            className="min-h-7 rounded-full border border-line-2 px-2.5 text-meta text-ink-2 hover:bg-hover hover:text-ink max-md:min-h-11"
            onClick={() => fill(reason)}
          >
            {reason}
          </button>
        ))}
      </div>
      <label className="lbl" htmlFor="reject-feedback">
        Why?
      </label>
      <textarea
        ref={field}
        className="input"
        id="reject-feedback"
        rows={4}
        maxLength={limits.feedback}
        value={feedback}
        placeholder="Say what the agent should do differently"
        aria-invalid={isMissing}
        aria-describedby={isMissing ? 'reject-error' : undefined}
        onChange={(event) => {
          setFeedback(event.target.value)
          setMissing(false)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void reject()
        }}
      />
      {isMissing && (
        <FieldError id="reject-error">Write a few words, so that the agent can learn from it.</FieldError>
      )}
    </Dialog>
  )
}
