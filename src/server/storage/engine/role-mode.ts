/** The role that requests run as. It owns nothing and bypasses nothing. */
export const appRole = 'handrail_app'

/** Forced: the owner is under the policies too, and a transaction that crosses workspaces says so by `handrail.crossing`. */
export type RoleMode = { kind: 'app-role' } | { kind: 'forced' }
