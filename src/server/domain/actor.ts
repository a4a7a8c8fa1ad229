import { type Role, roles } from '../../contract/workspace.ts'
import { forbidden } from './problems.ts'

export type KeyActor = {
  kind: 'key'
  workspaceId: string
  /** The id of an API key, or of the grant of a connected app. */
  id: string
  name: string
  workspaceName: string
  /** The apps and types that the key is limited to. null: all. */
  apps: string[] | null
  types: string[] | null
  /** The network address of the client. */
  from: string
}
export type PersonActor = {
  kind: 'person'
  workspaceId: string
  id: string
  email: string
  emailVerified: boolean
  name: string
  role: Role
  /** Whether a second factor protects the session. */
  hasSecondFactor?: boolean
  /** The network address of the client, "slack" or "command line". */
  from: string
  via: 'web' | 'cli' | 'slack'
}
/** The operator at the command line, acting as the service itself. */
export type OperatorActor = { kind: 'operator'; workspaceId: string; id: 'service'; from: string }

/** Who is asking, for which workspace, and from where. Use cases take this, never the HTTP request. */
export type Actor = KeyActor | PersonActor
export type AdminActor = PersonActor | OperatorActor

export function isAtLeast(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}

/** The roles that a member with this role may give to people they invite. */
export function invitableRoles(role: Role): Role[] {
  if (role === 'owner') return [...roles]
  return role === 'admin' ? ['member'] : []
}

export function requireRole(actor: AdminActor, needed: Role): void {
  if (actor.kind === 'operator' || isAtLeast(actor.role, needed)) return
  throw forbidden(
    `This requires the ${needed} role; your role is ${actor.role}. Ask an owner of the workspace.`,
  )
}
