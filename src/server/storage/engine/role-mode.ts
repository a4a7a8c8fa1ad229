/** The role that requests run as, unless policies are forced. It owns no table and bypasses no policy. */
export const appRole = 'handrail_app'

/**
 * `forced`: requests run as the owner. Policies apply to the owner too, except in transactions that
 * set `handrail.crossing`.
 */
export type RoleMode = { kind: 'app-role' } | { kind: 'forced' }
