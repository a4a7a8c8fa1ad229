import type { CreateTask } from '../../../contract/create-task.ts'
import type { RequestedReview } from '../../../contract/review.ts'
import { noAnswerAtDeadline, tooFewReviewers } from '../../../contract/review-violations.ts'
import type { Violation } from '../../../contract/violation.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import type { StoredReview } from '../../storage/engine/task-tables.ts'
import type { PolicySettings } from '../../storage/engine/workspace-tables.ts'
import { listMembersWithGroups } from '../../storage/review/members-with-groups.ts'
import { findPeopleBehind } from '../../storage/review/people-behind.ts'
import type { PolicyRow } from '../../storage/review/policies.ts'
import type { Actor } from '../actor.ts'
import { invalidRequest } from '../problems.ts'
import { isStrict, mayReview } from './judge.ts'
import { resolveNames } from './resolve-names.ts'
import { excludesRequesters, reviewUnder } from './review-under.ts'

/** The most specific policy for a task: of its app and type, else of its type, else of its app. */
export function matchingPolicy(
  policies: PolicyRow[],
  task: { app: string; type: string },
): PolicyRow | undefined {
  const matching = policies.filter(
    ({ app, type }) => (app === null || app === task.app) && (type === null || type === task.type),
  )
  const weight = ({ app, type }: PolicyRow) => (type === null ? 0 : 2) + (app === null ? 0 : 1)
  return matching.sort((one, other) => weight(other) - weight(one))[0]
}

export function policyFor(
  policies: PolicyRow[],
  task: { app: string; type: string },
): PolicySettings | undefined {
  return matchingPolicy(policies, task)?.settings
}

/** Whether every task of this policy has a review, so that none may have an action for the deadline. */
export function requiresReview(policy: PolicySettings): boolean {
  return policy.by !== undefined || excludesRequesters(policy, policy.needed ?? 1)
}

/** Whether tasks of this policy may have a review that their senders have not asked for. */
export function mayRequireReview(policy: PolicySettings): boolean {
  return requiresReview(policy) || (policy.doubleReviewShare ?? 0) > 0
}

export type PlannedReview = {
  /** undefined: every member may answer, and one answer is enough. */
  review: StoredReview | undefined
  /** What the sender asked for, with ids instead of names. */
  requested: RequestedReview | undefined
}

/**
 * Plans what the sender asked for, made stricter by the policy. Throws if a reviewer is unknown,
 * too few people could answer, or a task with a review has an action for the deadline.
 */
export async function planReview(
  tx: Transaction,
  actor: Actor,
  { review: requested, onExpire }: Pick<CreateTask, 'review' | 'onExpire'>,
  policy: PolicySettings = {},
): Promise<PlannedReview> {
  const { ids, errors } = await resolveNames(tx, {
    'review.by': requested?.by,
    'review.notBy': requested?.notBy,
  })
  if (errors.length > 0) throw invalidRequest(errors)
  const people = await listMembersWithGroups(tx)
  const behind = actor.kind === 'person' ? [actor.id] : await findPeopleBehind(tx, actor.id)

  const withIds = requested && { ...requested, by: ids['review.by'], notBy: ids['review.notBy'] }
  const countAble = (review: StoredReview) => people.filter((person) => mayReview(review, person)).length

  let review = reviewUnder(policy, behind, withIds)
  const mayBeDoubled = review.needed === 1 && onExpire === undefined
  if (mayBeDoubled && Math.random() < (policy.doubleReviewShare ?? 0)) {
    const doubled: StoredReview = {
      ...reviewUnder(policy, behind, { ...withIds, needed: 2 }),
      onDecline: 'collect',
    }
    if (countAble(doubled) >= 2) review = doubled
  }
  if (isPlain(review)) return { review: undefined, requested: withIds }
  requirePossible(review, countAble(review), onExpire !== undefined)
  return { review, requested: withIds }
}

/** Whether the review restricts nothing, so that the task needs none. */
function isPlain({ by, within, notBy, requesters, needed }: StoredReview): boolean {
  return needed === 1 && [by, within, notBy, requesters].every((value) => value === undefined)
}

function requirePossible(review: StoredReview, count: number, hasOnExpire: boolean): void {
  const errors: Violation[] = []
  if (count < review.needed) {
    const { needed, within } = review
    errors.push(
      tooFewReviewers({ needed, isNarrowed: within !== undefined, isStrict: isStrict(review) }, count),
    )
  }
  if (hasOnExpire) errors.push(noAnswerAtDeadline)
  if (errors.length > 0) throw invalidRequest(errors)
}

/** A warning if the policy made the review stricter than the sender asked. */
export function describeStricter(
  { by, within, requesters, needed, onDecline }: StoredReview,
  requested: CreateTask['review'] = {},
): Violation[] {
  const isRestricted = within !== undefined || (by !== undefined && requested.by === undefined)
  const isForTwo = (requested.needed ?? 1) > 1
  const changes = [
    ...(needed > (requested.needed ?? 1) ? [`${needed} people must give the same answer`] : []),
    ...(isRestricted ? ['only certain people may answer'] : []),
    ...(requesters && !isForTwo ? ['the people behind the task may not answer'] : []),
    ...(requested.onDecline === 'collect' && onDecline === 'end' ? ['one rejection ends the task'] : []),
  ]
  if (changes.length === 0) return []
  return [
    {
      path: 'review',
      message: `A policy of this workspace is stricter than you asked: ${changes.join('; ')}.`,
    },
  ]
}
