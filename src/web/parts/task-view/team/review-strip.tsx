import { Users } from 'lucide-react'
import type { ReviewForMember } from '../../../../contract/review.ts'
import { pluralize } from '../../../lib/count.ts'
import { Strip } from '../../../ui/strip.tsx'

type Props = { review: ReviewForMember; revision: number }

/**
 * How many people must give the same answer to an open task, and how many have answered, but not who
 * gave which answer.
 */
export default function ReviewStrip({ review, revision }: Props) {
  if (review.needed === 1) return null
  const { needed, given, you, onDecline } = review
  const declining = onDecline === 'end' ? '; one “Reject” or “Mark done” ends the task' : ''
  return (
    // A status, so that a change of the number is announced.
    <div className="contents" role="status">
      <Strip tone="info" icon={Users}>
        {needed} people must give the same answer{declining}. {describeGiven(given, revision)}
        {given >= needed && " Once everyone who may answer has answered, an admin's answer decides."}
        {you === 'may_answer' && given > 0 && ' You see the other answers once you have answered.'}
      </Strip>
    </div>
  )
}

/** Answers to earlier revisions do not count. */
function describeGiven(given: number, revision: number): string {
  const what = revision > 1 ? ' this revision' : ''
  return given === 0
    ? `Nobody has answered${what} yet.`
    : `${pluralize(given, 'person', 'people')} answered${what}.`
}
