import type { RequestedReview } from '../../../contract/review.ts'
import type { StoredReview } from '../../storage/engine/task-tables.ts'
import type { PolicySettings } from '../../storage/engine/workspace-tables.ts'

/**
 * Whether the people behind a task must not answer it. `needed`: the number of answers that the
 * task needs.
 */
export function excludesRequesters({ requesterMayAnswer }: PolicySettings, needed: number): boolean {
  return needed > 1 || requesterMayAnswer === false
}

/**
 * The effective review of a task: what the sender asked for, made stricter by the policy.
 * `requested` has ids instead of names. `behind`: the people behind the task.
 */
export function reviewUnder(
  policy: PolicySettings,
  behind: string[],
  requested: RequestedReview = {},
): StoredReview {
  const { by = policy.by, notBy } = requested
  const within = requested.by && policy.by
  const needed = Math.max(requested.needed ?? 1, policy.needed ?? 1)
  return {
    ...(by && { by }),
    ...(within && { within }),
    ...(notBy && { notBy }),
    ...(excludesRequesters(policy, needed) && { requesters: behind }),
    behind,
    needed,
    onDecline: policy.onDecline ?? requested.onDecline ?? 'end',
  }
}
