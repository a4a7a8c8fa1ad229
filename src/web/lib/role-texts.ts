import type { Role } from '../../contract/workspace.ts'

/** What each role may do in addition to the previous one. */
export const roleDescriptions: Record<Role, string> = {
  member: 'Can answer tasks.',
  admin:
    'Can also invite and remove members, manage groups, policies, rules, API keys, webhooks, Slack and connected apps, export tasks, read the audit log and delete content.',
  owner:
    'Can also assign roles, rename the workspace, set how long content is kept and change security settings.',
}

export const roleTitle: Record<Role, string> = { member: 'Member', admin: 'Admin', owner: 'Owner' }

export const roleWithArticle: Record<Role, string> = {
  member: 'a member',
  admin: 'an admin',
  owner: 'an owner',
}
