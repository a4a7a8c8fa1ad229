import { limits } from '../../../contract/limits.ts'
import { type CreatePolicy, maxPreviewedTasks, type PolicyPreview } from '../../../contract/review.ts'
import type { PolicySettings, StoredReview } from '../../storage/engine/schema.ts'
import { listPeople } from '../../storage/review/answers.ts'
import { countSenders } from '../../storage/review/count-senders.ts'
import { listPolicies } from '../../storage/review/rules.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import type { Service } from '../service.ts'
import { mayReview } from './judge.ts'
import { policyFor } from './plan-review.ts'
import { resolveSettings } from './policies.ts'

/** To how many tasks of the last days the policy would have applied, instead of the present one of its app and type. */
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
    const sent = await countSenders(tx, { app, type }, limits.policyPreviewDays, maxPreviewedTasks + 1)
    const matching = sent.filter((tasks) => policyFor([...others, draft], tasks) === settings)
    const people = await listPeople(tx)
    const isPossible = ({ behind }: { behind: string[] }) => {
      const review = reviewUnder(settings, behind)
      return people.filter((person) => mayReview(review, person)).length >= review.needed
    }
    const sum = (counts: typeof sent) => counts.reduce((total, { count }) => total + count, 0)
    return {
      tasks: Math.min(sum(matching), maxPreviewedTasks),
      tooFew: Math.min(sum(matching.filter((tasks) => !isPossible(tasks))), maxPreviewedTasks),
      stopped: sum(sent) > maxPreviewedTasks,
    }
  })
}

function reviewUnder(policy: PolicySettings, behind: string[]): StoredReview {
  const { by, needed = 1, onDecline = 'end', requesterMayAnswer } = policy
  const isExcluded = needed > 1 || requesterMayAnswer === false
  return { ...(by && { by }), ...(isExcluded && { requesters: behind }), needed, onDecline }
}
