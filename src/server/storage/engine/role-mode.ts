/** The role that requests run as. It owns nothing and bypasses nothing. */
export const appRole = 'handrail_app'

/** `forced`: policies apply to the owner too; a transaction across workspaces sets `handrail.crossing`. */
export type RoleMode = { kind: 'app-role' } | { kind: 'forced' }
