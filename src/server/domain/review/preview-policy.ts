import { limits } from '../../../contract/limits.ts'
import { type CreatePolicy, maxPreviewedTasks, type PolicyPreview } from '../../../contract/review.ts'
import { countTasksBySender } from '../../storage/review/count-tasks-by-sender.ts'
import { listGroups } from '../../storage/review/groups.ts'
import { listMembersWithGroups } from '../../storage/review/members-with-groups.ts'
import { listPolicies } from '../../storage/review/policies.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import type { Service } from '../service.ts'
import { warnAboutPolicy } from './check-policies.ts'
import { mayReview } from './judge.ts'
import { policyFor, requiresReview } from './plan-review.ts'
import { resolveSettings } from './policies.ts'
import { reviewUnder } from './review-under.ts'

/**
 * Says to how many tasks of the last days the policy would have applied, and what it would have
 * meant for them, if it had replaced the current policy for the same app and type.
 */
export async function previewPolicy(
  { database }: Service,
  actor: PersonActor,
  { app, type, ...input }: CreatePolicy,
): Promise<PolicyPreview> {
  requireRole(actor, 'admin')
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const settings = await resolveSettings(tx, input)
    const draft = { id: '', app: app ?? null, type: type ?? null, settings }
    const others = (await listPolicies(tx)).filter(
      (other) => other.app !== draft.app || other.type !== draft.type,
    )
    const sent = await countTasksBySender(
      tx,
      { app, type },
      {
        days: limits.policyPreviewDays,
        max: maxPreviewedTasks + 1,
        minutes: input.answerWithinMinutes,
      },
    )
    const matching = sent.filter((tasks) => policyFor([...others, draft], tasks) === settings)
    const people = await listMembersWithGroups(tx)
    const isPossible = ({ behind }: { behind: string[] }) => {
      const review = reviewUnder(settings, behind)
      return people.filter((person) => mayReview(review, person)).length >= review.needed
    }
    const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
    const sumShown = (counts: number[]) => Math.min(sum(counts), maxPreviewedTasks)
    const warnings = warnAboutPolicy(settings, people, await listGroups(tx))
    return {
      tasks: sumShown(matching.map(({ count }) => count)),
      tooFew: sumShown(matching.filter((tasks) => !isPossible(tasks)).map(({ count }) => count)),
      ...(input.answerWithinMinutes !== undefined && {
        tooSlow: sumShown(matching.map(({ slow }) => slow)),
      }),
      ...(requiresReview(settings) && {
        withOnExpire: sumShown(matching.map(({ withOnExpire }) => withOnExpire)),
      }),
      ...(warnings.length > 0 && { warnings }),
      hasMore: sum(sent.map(({ count }) => count)) > maxPreviewedTasks,
    }
  })
}
