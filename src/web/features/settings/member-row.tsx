import type { Member, Role } from '../../../contract/workspace.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { roles, useRole } from '../../lib/role.ts'
import { roleTitle } from '../../lib/role-texts.ts'
import { formatAgo, formatFullDate } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import recordsStyles from '../../ui/records.module.css'
import { Select } from '../../ui/select.tsx'

type Props = {
  member: Member
  isOnlyOwner: boolean
  onChange: (role: Role) => void
  onSignOut: () => void
  onRemove: () => void
}

export function MemberRow({ member, isOnlyOwner, onChange, onSignOut, onRemove }: Props) {
  const { me } = useWorkspace()
  const { isAtLeast } = useRole()
  const now = useNow()
  const isMe = member.userId === me.person.userId
  const mayManage = isMe || isAtLeast(member.role === 'member' ? 'admin' : 'owner')
  const name = escapeBidi(member.name)
  return (
    <li>
      <Avatar name={member.name} />
      <div className={recordsStyles.who}>
        <strong>
          <bdi>{bidiSafe(member.name)}</bdi>
          {isMe && <span className="chip">You</span>}
          {!member.emailVerified && (
            <span className="chip warn" title="This email address hasn't been verified.">
              Not verified
            </span>
          )}
        </strong>
        <span>
          <bdi>{bidiSafe(member.email)}</bdi> ·{' '}
          <time dateTime={member.joinedAt} title={formatFullDate(member.joinedAt)}>
            joined {formatAgo(member.joinedAt, now)}
          </time>
        </span>
        {isOnlyOwner && isMe && (
          <span>You're the only owner. Make someone else an owner before you leave.</span>
        )}
      </div>
      {isAtLeast('owner') && !isOnlyOwner ? (
        <Select
          aria-label={`Role of ${name}`}
          value={member.role}
          onChange={(event) => onChange(event.target.value as Role)}
        >
          {roles.map((role) => (
            <option key={role} value={role}>
              {roleTitle[role]}
            </option>
          ))}
        </Select>
      ) : (
        <span className={recordsStyles.role}>{roleTitle[member.role]}</span>
      )}
      <span className={recordsStyles.rowAct}>
        {mayManage && !isMe && (
          <button type="button" className="btn quiet" aria-label={`Sign out ${name}`} onClick={onSignOut}>
            Sign out
          </button>
        )}
        {mayManage && !isOnlyOwner && (
          <button
            type="button"
            className="btn quiet"
            aria-label={isMe ? 'Leave workspace' : `Remove ${name}`}
            onClick={onRemove}
          >
            {isMe ? 'Leave' : 'Remove'}
          </button>
        )}
      </span>
    </li>
  )
}
