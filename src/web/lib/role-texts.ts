import type { Role } from '../../contract/workspace.ts'
import { roles } from './role.ts'

/** What each role may do in addition to the previous one. */
const permissions: Record<Role, string> = {
  member: 'answer tasks',
  admin:
    'invite and remove members, manage groups, policies, rules, API keys, webhooks, Slack and connected apps, export tasks, read the audit log and delete content',
  owner: 'assign roles, rename the workspace, set how long content is kept and change security settings',
}

/** For a list of all roles, from the least to the most privileged. */
export const roleDescriptions: Record<Role, string> = {
  member: `Can ${permissions.member}.`,
  admin: `Can also ${permissions.admin}.`,
  owner: `Can also ${permissions.owner}.`,
}

/** What someone gains or loses with another role. */
export function describeRoleChange(from: Role, to: Role): string {
  const isRaised = roles.indexOf(to) > roles.indexOf(from)
  const [lower, higher] = isRaised ? [from, to] : [to, from]
  const changed = roles.slice(roles.indexOf(lower) + 1, roles.indexOf(higher) + 1)
  return changed.map((role) => `Can ${isRaised ? 'also' : 'no longer'} ${permissions[role]}.`).join(' ')
}

export const roleTitle: Record<Role, string> = { member: 'Member', admin: 'Admin', owner: 'Owner' }

export const roleWithArticle: Record<Role, string> = {
  member: 'a member',
  admin: 'an admin',
  owner: 'an owner',
}
