import type { Policy } from '../../../../contract/review.ts'
import type { AppAndType } from '../../../lib/app-and-type.ts'

/** Whether the page can switch double reviews of an app and type. The service refuses the same cases. */
export type DoubleReviewPlan =
  | { canSwitch: true; share: number }
  | { canSwitch: false; why: 'broader' | 'several' }

/** The most specific policy applies: app and type, then type, then app. */
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
