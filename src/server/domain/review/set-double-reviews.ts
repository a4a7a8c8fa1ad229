import { limits } from '../../../contract/limits.ts'
import type { SetDoubleReviews } from '../../../contract/review.ts'
import { newId } from '../../lib/ids.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { listSlackChannels } from '../../storage/notifications/slack.ts'
import { raiseSettingsVersion } from '../../storage/review/decision-settings.ts'
import { insertPolicy, listPolicies, type PolicyRow, updatePolicy } from '../../storage/review/policies.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import { conflict } from '../problems.ts'
import type { Service } from '../service.ts'
import { auditPolicy, removePolicy } from './policies.ts'

/**
 * Changes only the share of double reviews in the policy for exactly this app and type. If there is
 * no such policy, creates one, or refuses if a broader policy applies. Deletes the policy if no
 * setting is left, no Slack channel is for its tasks, and no broader policy would apply instead.
 */
export async function setDoubleReviews(
  { database }: Service,
  actor: PersonActor,
  { app, type, share }: SetDoubleReviews,
): Promise<void> {
  requireRole(actor, 'admin')
  await database.inWorkspace(actor.workspaceId, async (tx) => {
    await raiseSettingsVersion(tx)
    const policies = await listPolicies(tx)
    const existing = policies.find((policy) => policy.app === app && policy.type === type)
    const hasBroader = policies.some((policy) => isBroader(policy, app, type))
    if (share > 0) requireNoConflict(policies, existing, hasBroader)
    const policy = withShare(existing ?? { id: newId('policy'), app, type, settings: {} }, share)
    if (!existing) {
      if (share === 0) return
      await insertPolicy(tx, policy)
      await auditPolicy(tx, actor, 'policy.created', policy)
    } else if (Object.keys(policy.settings).length === 0 && !hasBroader && !(await hasChannel(tx, policy))) {
      await removePolicy(tx, actor, existing)
    } else {
      await updatePolicy(tx, policy.id, policy.settings)
      await auditPolicy(tx, actor, 'policy.changed', policy)
    }
  })
}

async function hasChannel(tx: Transaction, { id }: PolicyRow): Promise<boolean> {
  return (await listSlackChannels(tx)).some(({ slackChannel }) => slackChannel.policyId === id)
}

function isBroader(policy: PolicyRow, app: string, type: string): boolean {
  return (policy.app === null && policy.type === type) || (policy.app === app && policy.type === null)
}

function requireNoConflict(
  policies: PolicyRow[],
  existing: PolicyRow | undefined,
  hasBroader: boolean,
): void {
  if ((existing?.settings.needed ?? 1) > 1)
    throw conflict(
      'The policy of this app and type already asks several people. Change it under Settings, Policies.',
    )
  if (existing) return
  // A new policy would replace all settings of the broader one.
  if (hasBroader)
    throw conflict(
      'A policy for more than this app and type applies. Change it, or create one for this app and type.',
    )
  if (policies.length >= limits.policies)
    throw conflict(`A workspace may have at most ${limits.policies} policies. Delete one first.`)
}

function withShare(policy: PolicyRow, share: number): PolicyRow {
  const { doubleReviewShare: _share, ...settings } = policy.settings
  return { ...policy, settings: share > 0 ? { ...settings, doubleReviewShare: share } : settings }
}
