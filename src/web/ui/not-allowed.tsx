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

type Props = { minRole: Role; to: string }

/**
 * "Only admins and owners can <to>": explains which role is required and whom to ask. Renders
 * nothing for people with that role.
 */
export function NotAllowed(props: Props) {
  return useRole().isAtLeast(props.minRole) ? null : <Explanation {...props} />
}

/** Separate, so that only people without the role load the members. */
function Explanation({ minRole, to }: Props) {
  const members = useMembers()
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
