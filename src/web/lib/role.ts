import type { Role } from '../../contract/workspace.ts'
import { useWorkspace } from './person.ts'

/** What each role may do on top of the one before it. */
export const mayDo: Record<Role, string> = {
  member: 'Answers tasks.',
  admin: 'Also invites and removes members, keeps API keys and webhooks, reads the audit, deletes content.',
  owner: 'Also gives roles, names the workspace and says how long content is kept.',
}

/** Each may do all that the ones before it may. Not from the contract: its file brings the schema library along. */
export const roles = Object.keys(mayDo) as Role[]

export const roleTitle: Record<Role, string> = { member: 'Member', admin: 'Admin', owner: 'Owner' }

export function useRole(): { role: Role; isAtLeast: (least: Role) => boolean } {
  const { me, workspaceId } = useWorkspace()
  const role = me.workspaces.find((workspace) => workspace.workspaceId === workspaceId)?.role ?? 'member'
  return { role, isAtLeast: (least) => roles.indexOf(role) >= roles.indexOf(least) }
}
