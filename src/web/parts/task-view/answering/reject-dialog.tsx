import { useRef, useState } from 'react'
import type { HandrailProblem } from '../../../../client/problem.ts'
import { reservedActions } from '../../../../contract/reserved-actions.ts'
import type { Review } from '../../../../contract/review.ts'
import { keyCap, useShortcuts } from '../../../lib/shortcuts.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { KeyCap } from '../../../ui/key-cap.tsx'
import { ProblemStrip } from '../../../ui/strip.tsx'
import { Snippets, withSnippet } from '../../form/snippets.tsx'
import { FeedbackField } from './feedback-field.tsx'
import { distinctTexts, frequentTexts } from './past-texts.ts'
import { usePastAnswers } from './use-past-answers.ts'

const commonReasons = ['Not enough context', 'Wrong information', "Didn't need a person"]
const maxReasons = 6

type Props = {
  /** The type of the task, for reasons that the person has used for such tasks. */
  type: string
  review: Review | undefined
  /** The reason to start with: of the draft, or of an answer that returned. */
  initial: string
  /** The problem of a previous attempt. */
  previousProblem: HandrailProblem | undefined
  onChange: (feedback: string) => void
  onReject: (feedback: string) => Promise<HandrailProblem | undefined>
  onClose: () => void
}

export default function RejectDialog({
  type,
  review,
  initial,
  previousProblem,
  onChange,
  onReject,
  onClose,
}: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const rejections = usePastAnswers(type, reservedActions.rejectRequest.id)
  const past = rejections.answers.map((answer) => answer.feedback)
  const reasons = distinctTexts([...frequentTexts(past, { minCount: 1 }), ...commonReasons])
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
    const sendProblem = await onReject(feedback)
    isSending.current = false
    if (sendProblem) return setProblem(sendProblem)
    rejections.add({ feedback })
    onClose()
  }

  useShortcuts({ '$mod+Enter': () => void reject() }, field)

  function write(text: string) {
    setFeedback(text)
    setMissing(false)
    onChange(text)
  }

  function fill(reason: string) {
    // The reason becomes a sentence, so that the person can continue after it.
    write(withSnippet(feedback, /[.!?]$/.test(reason) ? `${reason} ` : `${reason}. `))
    field.current?.focus()
  }

  return (
    <Dialog
      title="Reject task"
      description={consequence(review)}
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
      <FeedbackField
        field={field}
        value={feedback}
        readers="the agent"
        isMissing={isMissing}
        onChange={write}
      />
      <Snippets texts={reasons.slice(0, maxReasons)} onPick={fill} />
    </Dialog>
  )
}

function consequence(review: Review | undefined): string {
  if (!review || review.needed === 1 || review.onDecline === 'end')
    return 'The task ends and the agent receives your reason. Rejections also count in the feedback analysis.'
  const { needed, given } = review
  // Once `needed` people have answered without agreeing, the answer of an admin may decide alone.
  const rule = given < needed ? `: ${needed} people must give the same one` : ''
  return `Your rejection is one of the answers${rule}. The agent receives your reason when the task is decided.`
}
