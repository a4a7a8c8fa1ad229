import type { ChangePolicy, Policy } from '../../../../contract/review.ts'
import type { Pair } from '../use-analyses.ts'

/** Whether the page can switch double reviews of an app and type, and which policy it would change. */
export type DoubleReviewPlan =
  | { canSwitch: true; share: number; policy: Policy | undefined }
  | { canSwitch: false; why: 'broader' | 'several' | 'incomplete' }

/** The most specific policy applies: app and type, then type, then app. */
export function planDoubleReview(policies: Policy[], { app, type }: Pair): DoubleReviewPlan {
  const policy = policies.find((one) => one.app === app && one.type === type)
  const hasBroader = policies.some(
    (one) => (one.type === type && one.app === undefined) || (one.app === app && one.type === undefined),
  )
  // A policy for exactly this app and type would replace all settings of the broader one.
  if (!policy)
    return hasBroader ? { canSwitch: false, why: 'broader' } : { canSwitch: true, share: 0, policy }
  if ((policy.needed ?? 1) > 1) return { canSwitch: false, why: 'several' }
  if (policy.escalate?.some(({ to }) => to === undefined)) return { canSwitch: false, why: 'incomplete' }
  return { canSwitch: true, share: policy.doubleReviewShare ?? 0, policy }
}

/** The settings of a policy without its double reviews. Undefined: nothing else is set. */
export function settingsWithoutDoubleReview(policy: Policy): ChangePolicy | undefined {
  const {
    policyId: _,
    app: _app,
    type: _type,
    warnings: _warnings,
    doubleReviewShare: _share,
    ...settings
  } = policy
  return Object.keys(settings).length === 0 ? undefined : (settings as ChangePolicy)
}
