import { Lock } from 'lucide-react'
import type { Role } from '../../contract/workspace.ts'
import { escapeBidi } from '../lib/escape-bidi.ts'
import { roles, useRole } from '../lib/role.ts'
import { useMembers } from '../lib/use-members.ts'
import { Icon } from './icon.tsx'
import styles from './not-allowed.module.css'

/** The people who have at least this role. */
const peopleWithRole: Record<Role, string> = {
  member: 'members',
  admin: 'admins and owners',
  owner: 'owners',
}
const maxNamed = 3

/**
 * "Only admins and owners can <to>": explains which role is required and whom to ask. Renders nothing for
 * people with that role.
 */
export function NotAllowed({ minRole, to }: { minRole: Role; to: string }) {
  const { isAtLeast } = useRole()
  const members = useMembers()
  if (isAtLeast(minRole)) return null
  const allowed = members.data?.filter(({ role }) => roles.indexOf(role) >= roles.indexOf(minRole)) ?? []
  const names = allowed.slice(0, maxNamed).map(({ name }) => escapeBidi(name))
  return (
    <p className={styles.notAllowed}>
      <Icon of={Lock} />
      <span>
        Only {peopleWithRole[minRole]} can {to}.{names.length > 0 && ` Ask ${names.join(' or ')}.`}
      </span>
    </p>
  )
}
