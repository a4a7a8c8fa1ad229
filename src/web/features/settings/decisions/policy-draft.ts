import { equalJson } from '../../../../contract/forms/json.ts'
import type { ChangePolicy, NamedPolicySettings, OnDecline, Policy } from '../../../../contract/review.ts'
import { toPercent } from '../../../lib/numbers.ts'

/** The fields of the policy form. Times are in minutes, as entered. */
export type PolicyDraft = {
  app: string
  type: string
  isRestricted: boolean
  by: string[]
  needed: number
  onDecline: OnDecline | ''
  requesterMayAnswer: boolean
  doubleReviewPercent: string
  assignTo: string
  answerWithin: string
  remindAfter: string
  steps: StepDraft[]
  linkOnly: boolean
}

export type StepDraft = { after: string; to: string; raisePriority: boolean }

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
    assignTo: policy.assignTo ?? '',
    answerWithin: String(policy.answerWithinMinutes ?? ''),
    remindAfter: String(policy.remindAfterMinutes ?? ''),
    steps: (policy.escalate ?? []).map(({ afterMinutes, to = '', raisePriority = false }) => ({
      after: String(afterMinutes),
      to,
      raisePriority,
    })),
    linkOnly: policy.linkOnly ?? false,
  }
}

/** The settings to save. Those at their default are left out. */
export function settingsOf(draft: PolicyDraft): NamedPolicySettings {
  const percent = Number(draft.doubleReviewPercent)
  // The form can only be saved with complete steps. Until then, the description and the preview
  // leave out incomplete ones.
  const steps = draft.steps.filter(({ after, to }) => Number(after) > 0 && to !== '')
  return {
    ...(draft.isRestricted && { by: draft.by }),
    ...(draft.needed > 1 && { needed: draft.needed }),
    ...(draft.onDecline && { onDecline: draft.onDecline }),
    ...(!draft.requesterMayAnswer && { requesterMayAnswer: false }),
    ...(draft.needed === 1 && percent > 0 && { doubleReviewShare: percent / 100 }),
    ...(draft.assignTo && { assignTo: draft.assignTo }),
    ...(draft.answerWithin && { answerWithinMinutes: Number(draft.answerWithin) }),
    ...(draft.remindAfter && { remindAfterMinutes: Number(draft.remindAfter) }),
    ...(steps.length > 0 && {
      escalate: steps.map(({ after, to, raisePriority }) => ({
        afterMinutes: Number(after),
        to,
        ...(raisePriority && { raisePriority }),
      })),
    }),
    ...(draft.linkOnly && { linkOnly: true }),
  }
}

/**
 * Only the settings that were changed in the form, so that another admin's changes to the others are
 * kept. null removes a setting, also one without effect that the form does not show.
 */
export function changeOf(policy: Policy, draft: PolicyDraft): ChangePolicy {
  const { policyId: _id, app: _app, type: _type, warnings: _warnings, ...before } = policy
  const after = settingsOf(draft)
  const names = Object.keys({ ...before, ...after }) as (keyof NamedPolicySettings)[]
  const changed = names.filter((name) => !equalJson(before[name], after[name]))
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? null]))
}
