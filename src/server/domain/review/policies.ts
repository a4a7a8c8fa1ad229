import { groupPrefix } from '../../../contract/group-prefix.ts'
import { limits } from '../../../contract/limits.ts'
import type { ChangePolicy, CreatePolicy, NamedPolicySettings, Policy } from '../../../contract/review.ts'
import type { Violation } from '../../../contract/violation.ts'
import { newId } from '../../lib/ids.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import type { PolicySettings } from '../../storage/engine/workspace-tables.ts'
import { deleteSlackChannelsOf } from '../../storage/notifications/slack.ts'
import { outdateSlackMessages } from '../../storage/notifications/slack-messages.ts'
import { listMembers } from '../../storage/people/members.ts'
import { raiseSettingsVersion } from '../../storage/review/decision-settings.ts'
import { listGroups } from '../../storage/review/groups.ts'
import { listMembersWithGroups } from '../../storage/review/members-with-groups.ts'
import {
  deletePolicy as deletePolicyRow,
  insertPolicy,
  listPolicies as listPolicyRows,
  type PolicyRow,
  updatePolicy,
} from '../../storage/review/policies.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import { conflict, invalidRequest, notFound } from '../problems.ts'
import type { Service } from '../service.ts'
import { warnAboutPolicy } from './check-policies.ts'
import { resolveNames } from './resolve-names.ts'

/** Every member may see the policies, because policies say who answers what. */
export async function listPolicies({ database }: Service, actor: PersonActor): Promise<Policy[]> {
  return await database.inWorkspace(actor.workspaceId, async (tx) => present(tx, await listPolicyRows(tx)))
}

/**
 * Applies to tasks that are sent from now on. Open tasks keep their review; only `linkOnly` also
 * applies to them.
 */
export async function createPolicy(
  { database }: Service,
  actor: PersonActor,
  { app, type, ...settings }: CreatePolicy,
): Promise<Policy> {
  requireRole(actor, 'admin')
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    await raiseSettingsVersion(tx)
    await outdateSlackMessages(tx)
    const existing = await listPolicyRows(tx)
    if (existing.length >= limits.policies)
      throw conflict(`A workspace may have at most ${limits.policies} policies. Delete one first.`)
    const policy = {
      id: newId('policy'),
      app: app ?? null,
      type: type ?? null,
      settings: await resolveSettings(tx, settings),
    }
    if (existing.some((other) => other.app === policy.app && other.type === policy.type))
      throw conflict('There is already a policy for this app and type. Change it instead.')
    await insertPolicy(tx, policy)
    await auditPolicy(tx, actor, 'policy.created', policy)
    return (await present(tx, [policy]))[0]!
  })
}

export async function changePolicy(
  { database }: Service,
  actor: PersonActor,
  policyId: string,
  change: ChangePolicy,
): Promise<Policy> {
  requireRole(actor, 'admin')
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    await raiseSettingsVersion(tx)
    await outdateSlackMessages(tx)
    const before = await requirePolicy(tx, policyId)
    const unchanged = Object.entries(before.settings).filter(
      ([name]) => change[name as keyof ChangePolicy] === undefined,
    )
    const changed = Object.entries(change).filter(([, value]) => value !== null)
    const policy = {
      ...before,
      settings: {
        ...Object.fromEntries(unchanged),
        ...(await resolveSettings(tx, Object.fromEntries(changed))),
      },
    }
    await updatePolicy(tx, policyId, policy.settings)
    await auditPolicy(tx, actor, 'policy.changed', policy)
    return (await present(tx, [policy]))[0]!
  })
}

export async function deletePolicy(
  { database }: Service,
  actor: PersonActor,
  policyId: string,
): Promise<void> {
  requireRole(actor, 'admin')
  await database.inWorkspace(actor.workspaceId, async (tx) => {
    await raiseSettingsVersion(tx)
    await removePolicy(tx, actor, await requirePolicy(tx, policyId))
  })
}

/** The caller has raised the version of the settings. */
export async function removePolicy(tx: Transaction, actor: PersonActor, policy: PolicyRow): Promise<void> {
  await deletePolicyRow(tx, policy.id)
  await deleteSlackChannelsOf(tx, policy.id)
  await outdateSlackMessages(tx)
  await auditPolicy(tx, actor, 'policy.deleted', policy)
}

/** The settings in the form in which they are stored: people and groups as ids. */
export async function resolveSettings(
  tx: Transaction,
  { by, assignTo, escalate, ...settings }: NamedPolicySettings,
): Promise<PolicySettings> {
  const { ids, errors } = await resolveNames(tx, {
    by,
    assignTo: assignTo === undefined ? undefined : [assignTo],
    escalate: escalate?.map(({ to }) => to),
  })
  if (errors.length > 0) throw invalidRequest(errors.map(withFieldPath))
  const resolved = {
    ...settings,
    by: ids.by,
    assignTo: ids.assignTo?.[0],
    escalate: escalate?.map((step, n) => ({ ...step, to: ids.escalate![n]! })),
  }
  return Object.fromEntries(Object.entries(resolved).filter(([, value]) => value !== undefined))
}

/** Replaces the path of a resolved name with that of the field that the caller sent. */
function withFieldPath({ path, message }: Violation): Violation {
  return { path: path.replace('assignTo[0]', 'assignTo').replace(/^escalate\[\d\]$/, '$&.to'), message }
}

async function requirePolicy(tx: Transaction, policyId: string): Promise<PolicyRow> {
  const policy = (await listPolicyRows(tx)).find(({ id }) => id === policyId)
  if (!policy) throw notFound('policy')
  return policy
}

export async function auditPolicy(
  tx: Transaction,
  { id, from }: PersonActor,
  action: 'policy.created' | 'policy.changed' | 'policy.deleted',
  { id: subject, app, type, settings }: PolicyRow,
): Promise<void> {
  const details = { ...(app !== null && { app }), ...(type !== null && { type }), ...settings }
  await appendAudit(tx, { actor: id, from, action, subject, details })
}

async function present(tx: Transaction, rows: PolicyRow[]): Promise<Policy[]> {
  const names = new Map<string, string>()
  for (const { userId, email } of await listMembers(tx)) names.set(userId, email)
  const groups = await listGroups(tx)
  for (const { id, slug } of groups) names.set(id, `${groupPrefix}${slug}`)
  const people = await listMembersWithGroups(tx)
  return rows.map(({ id, app, type, settings }) => {
    const { by, assignTo, escalate, ...others } = settings
    const warnings = warnAboutPolicy(settings, people, groups)
    return {
      policyId: id,
      ...(app !== null && { app }),
      ...(type !== null && { type }),
      ...others,
      // Members who left have no name any more. They stay in the settings: nobody takes their
      // place.
      ...(by && { by: by.flatMap((who) => names.get(who) ?? []) }),
      ...(assignTo && names.has(assignTo) && { assignTo: names.get(assignTo)! }),
      ...(escalate && {
        escalate: escalate.map(({ to, ...step }) => ({
          ...step,
          ...(names.has(to) && { to: names.get(to)! }),
        })),
      }),
      ...(warnings.length > 0 && { warnings }),
    }
  })
}
