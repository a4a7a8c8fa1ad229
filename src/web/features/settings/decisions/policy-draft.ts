import type { ChangePolicy, OnDecline, Policy } from '../../../../contract/review.ts'
import { toPercent } from './describe-policy.ts'

/** The fields of the policy form. */
export type PolicyDraft = {
  app: string
  type: string
  isRestricted: boolean
  by: string[]
  needed: number
  onDecline: OnDecline | ''
  requesterMayAnswer: boolean
  doubleReviewPercent: string
}

export function draftOf(policy: Partial<Policy> = {}): PolicyDraft {
  const { doubleReviewShare } = policy
  return {
    app: policy.app ?? '',
    type: policy.type ?? '',
    isRestricted: policy.by !== undefined,
    by: policy.by ?? [],
    needed: policy.needed ?? 1,
    onDecline: policy.onDecline ?? '',
    requesterMayAnswer: policy.requesterMayAnswer ?? true,
    doubleReviewPercent: doubleReviewShare ? String(toPercent(doubleReviewShare)) : '',
  }
}

/** Without the settings that have no effect. */
export function settingsOf(draft: PolicyDraft): ChangePolicy {
  const percent = Number(draft.doubleReviewPercent)
  return {
    ...(draft.isRestricted && { by: draft.by }),
    ...(draft.needed > 1 && { needed: draft.needed }),
    ...(draft.onDecline && { onDecline: draft.onDecline }),
    ...(!draft.requesterMayAnswer && { requesterMayAnswer: false }),
    ...(draft.needed === 1 && percent > 0 && { doubleReviewShare: percent / 100 }),
  }
}
