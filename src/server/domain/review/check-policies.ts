import type { Transaction } from '../../storage/engine/database.ts'
import type { StoredReview } from '../../storage/engine/task-tables.ts'
import type { PolicySettings } from '../../storage/engine/workspace-tables.ts'
import {
  type GroupRow,
  listGroups,
  listGroupsOfOpenTasks,
  listWorkspacesWithPoliciesOrGroups,
} from '../../storage/review/groups.ts'
import { listMembersWithGroups, type MemberWithGroups } from '../../storage/review/members-with-groups.ts'
import { listPolicies, type PolicyRow } from '../../storage/review/policies.ts'
import type { Service } from '../service.ts'
import { isStrict, mayReview } from './judge.ts'
import { reviewUnder } from './review-under.ts'

// The settings pages and `handrail doctor` show these warnings.

/** Why tasks under this policy are refused, likely to wait, or not assigned as intended. */
export function warnAboutPolicy(
  policy: PolicySettings,
  people: MemberWithGroups[],
  groups: Pick<GroupRow, 'id'>[],
): string[] {
  const isKnown = (who: string) =>
    people.some(({ userId }) => userId === who) || groups.some(({ id }) => id === who)
  const { assignTo, escalate = [] } = policy
  const shortage = warnAboutReviewers(reviewUnder(policy, []), people)
  return [
    ...(shortage ? [shortage] : []),
    ...(assignTo && !isKnown(assignTo)
      ? ['The assignee has left the workspace, so tasks are assigned to nobody.']
      : []),
    ...escalate.flatMap(({ to }, n) =>
      isKnown(to)
        ? []
        : [
            `The person in escalation step ${n + 1} has left the workspace, so the step does not change the assignee.`,
          ],
    ),
  ]
}

function warnAboutReviewers(review: StoredReview, people: MemberWithGroups[]): string | undefined {
  const { needed } = review
  const able = people.filter((person) => mayReview(review, person)).length
  const verified = people.filter((person) => mayReview(review, { ...person, isVerified: true })).length
  const who = able === 0 ? 'Nobody' : `Only ${able} ${able === 1 ? 'person' : 'people'}`
  if (able < needed) {
    const reason = able < verified ? ' People whose email address is not verified do not count.' : ''
    const agreement = needed > 1 ? ` and ${needed} must agree` : ''
    return `${who} can answer${agreement}, so new tasks are refused.${reason}`
  }
  if (isStrict(review) && able === needed)
    return `${who} can answer, so one absence blocks a task, and a task that ${able === 1 ? 'they send' : 'one of them sends'} is refused.`
  return undefined
}

/** Warnings by group id, about groups that have no members and are used. */
export async function warnAboutGroups(tx: Transaction, groups: GroupRow[]): Promise<Map<string, string>> {
  const empty = groups.filter(({ members }) => members.length === 0).map(({ id }) => id)
  if (empty.length === 0) return new Map()
  const policies = await listPolicies(tx)
  const inOpenTasks = await listGroupsOfOpenTasks(tx, empty)
  return new Map(
    empty.flatMap((id) => {
      const count = policies.filter(({ settings }) => groupsAndPeopleOf(settings).includes(id)).length
      const usedBy = [
        ...(count > 0 ? [count === 1 ? 'a policy' : `${count} policies`] : []),
        ...(inOpenTasks.includes(id) ? ['open tasks'] : []),
      ]
      const verb = usedBy.join() === 'a policy' ? 'uses' : 'use'
      return usedBy.length > 0
        ? [[id, `No members, but ${usedBy.join(' and ')} ${verb} this group. Add members.`] as const]
        : []
    }),
  )
}

export function groupsAndPeopleOf({ by = [], assignTo, escalate = [] }: PolicySettings): string[] {
  return [...by, ...(assignTo ? [assignTo] : []), ...escalate.map(({ to }) => to)]
}

export type PolicyWarning = { workspace: string; about: 'policy' | 'group'; name: string; warning: string }

/** The warnings of all workspaces, for the operator. */
export async function checkPolicies({ database }: Service): Promise<PolicyWarning[]> {
  const found: PolicyWarning[] = []
  for (const { id, name: workspace } of await listWorkspacesWithPoliciesOrGroups(database)) {
    await database.inWorkspace(id, async (tx) => {
      const [people, groups] = [await listMembersWithGroups(tx), await listGroups(tx)]
      for (const policy of await listPolicies(tx))
        for (const warning of warnAboutPolicy(policy.settings, people, groups))
          found.push({ workspace, about: 'policy', name: nameOfPolicy(policy), warning })
      const groupWarnings = await warnAboutGroups(tx, groups)
      for (const { id, name } of groups)
        if (groupWarnings.has(id))
          found.push({ workspace, about: 'group', name, warning: groupWarnings.get(id)! })
    })
  }
  return found
}

export function nameOfPolicy({ app, type }: Pick<PolicyRow, 'app' | 'type'>): string {
  return [app, type].filter((part) => part !== null).join(' / ')
}
