import type { Role } from '../../contract/workspace.ts'
import { useWorkspace } from './workspace.ts'

/** From least to most privileged. Not imported from the contract, which would bundle the schema library. */
export const roles: readonly Role[] = ['member', 'admin', 'owner']

export function useRole(): { role: Role; isAtLeast: (minRole: Role) => boolean } {
  const { me, workspaceId } = useWorkspace()
  const role = me.workspaces.find((workspace) => workspace.workspaceId === workspaceId)?.role ?? 'member'
  return { role, isAtLeast: (minRole) => roles.indexOf(role) >= roles.indexOf(minRole) }
}
