import { Lock } from 'lucide-react'
import type { Role } from '../../contract/workspace.ts'
import { plain } from '../lib/plain-text.ts'
import { roles, useRole } from '../lib/role.ts'
import { useMembers } from '../lib/use-members.ts'
import { Icon } from './icon.tsx'
import styles from './not-allowed.module.css'

const word: Record<Role, string> = { member: 'Members', admin: 'Admins and owners', owner: 'Owners' }
const named = 3

/** Explains which role is required and whom to ask. Renders nothing for people with that role. */
export function NotAllowed({ least, to: what }: { least: Role; to: string }) {
  const { isAtLeast } = useRole()
  const members = useMembers()
  if (isAtLeast(least)) return null
  const those = members.data?.filter(({ role }) => roles.indexOf(role) >= roles.indexOf(least)) ?? []
  const names = those.slice(0, named).map(({ name }) => plain(name))
  return (
    <p className={styles.notAllowed}>
      <Icon of={Lock} />
      <span>
        {word[least]} {what}.{names.length > 0 && ` Ask ${names.join(' or ')}.`}
      </span>
    </p>
  )
}
