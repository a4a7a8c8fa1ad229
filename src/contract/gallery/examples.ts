import { compareAnswers } from './compare-answers.ts'
import { contentModeration } from './content-moderation.ts'
import { dataChange } from './data-change.ts'
import { deployApproval } from './deploy-approval.ts'
import { disputedCharge } from './disputed-charge.ts'
import { emailReview } from './email-review.ts'
import { escalation } from './escalation.ts'
import type { Example } from './example.ts'
import { extractionCorrection } from './extraction-correction.ts'
import { fourEyesPayment } from './four-eyes-payment.ts'
import { freeQuestion } from './free-question.ts'
import { messageLabeling } from './message-labeling.ts'
import { planReview } from './plan-review.ts'
import { quoteRevision } from './quote-revision.ts'
import { ranking } from './ranking.ts'
import { refundApproval } from './refund-approval.ts'

/** The gallery, in the order it is shown. */
export const examples: readonly Example[] = [
  compareAnswers,
  refundApproval,
  emailReview,
  deployApproval,
  contentModeration,
  extractionCorrection,
  escalation,
  freeQuestion,
  ranking,
  dataChange,
  planReview,
  disputedCharge,
  quoteRevision,
  fourEyesPayment,
  messageLabeling,
]
