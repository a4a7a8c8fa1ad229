import type { Policy } from '../../../../contract/review.ts'
import type { AppAndType } from '../../../lib/app-and-type.ts'

/**
 * Whether the page can turn double reviews of an app and type on and off, or why not. `broader`: a
 * policy for more than this app and type applies. `several`: the policy for this app and type asks
 * for several answers anyway. In both cases, the service also refuses to turn double reviews on.
 */
export type DoubleReviewPlan =
  | { canSwitch: true; share: number }
  | { canSwitch: false; why: 'broader' | 'several' }

/** The policy for exactly this app and type applies, or else a broader one. */
export function planDoubleReview(policies: Policy[], { app, type }: AppAndType): DoubleReviewPlan {
  const policy = policies.find((one) => one.app === app && one.type === type)
  const hasBroader = policies.some(
    (one) => (one.type === type && one.app === undefined) || (one.app === app && one.type === undefined),
  )
  // A policy for exactly this app and type would replace all settings of the broader one.
  if (!policy) return hasBroader ? { canSwitch: false, why: 'broader' } : { canSwitch: true, share: 0 }
  if ((policy.needed ?? 1) > 1) return { canSwitch: false, why: 'several' }
  return { canSwitch: true, share: policy.doubleReviewShare ?? 0 }
}
