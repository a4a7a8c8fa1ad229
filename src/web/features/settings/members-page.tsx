import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Member, Role } from '../../../contract/workspace.ts'
import { roles, useRole } from '../../lib/role.ts'
import { roleDescriptions, roleTitle } from '../../lib/role-texts.ts'
import { useMembers } from '../../lib/use-members.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { NotAllowed } from '../../ui/not-allowed.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'
import recordsStyles from '../../ui/records.module.css'
import { ChangeRoleDialog } from './change-role-dialog.tsx'
import { MemberRow } from './member-row.tsx'
import { RemoveMemberDialog } from './remove-member-dialog.tsx'
import { SignOutMemberDialog } from './sign-out-member-dialog.tsx'

export function MembersPage() {
  const membersQuery = useMembers()
  const { role, isAtLeast } = useRole()
  const { workspaceId } = useWorkspace()
  const [removing, setRemoving] = useState<Member>()
  const [signingOut, setSigningOut] = useState<Member>()
  const [changing, setChanging] = useState<{ member: Member; role: Role }>()
  return (
    <PageFrame
      title="Members"
      intro="The people who answer tasks from agents in this workspace."
      action={
        isAtLeast('admin') && (
          <Link
            className="btn"
            to="/w/$workspaceId/settings/$page"
            params={{ workspaceId, page: 'invitations' }}
          >
            Invite people
          </Link>
        )
      }
    >
      <NotAllowed
        minRole={role === 'member' ? 'admin' : 'owner'}
        to={role === 'member' ? 'remove members, and only owners can change roles' : 'change roles'}
      />
      <Loaded query={membersQuery} subject="The members">
        {(members) => (
          <ul className={recordsStyles.records} aria-label="Members">
            {members.map((member) => (
              <MemberRow
                key={member.userId}
                member={member}
                isOnlyOwner={
                  member.role === 'owner' && members.filter((other) => other.role === 'owner').length === 1
                }
                onChange={(role) => setChanging({ member, role })}
                onSignOut={() => setSigningOut(member)}
                onRemove={() => setRemoving(member)}
              />
            ))}
          </ul>
        )}
      </Loaded>
      <section>
        <h2>Roles</h2>
        <dl className="pairs">
          {roles.map((role) => (
            <div key={role}>
              <dt>{roleTitle[role]}</dt>
              <dd>{roleDescriptions[role]}</dd>
            </div>
          ))}
        </dl>
      </section>
      {changing && <ChangeRoleDialog {...changing} onClose={() => setChanging(undefined)} />}
      {signingOut && <SignOutMemberDialog member={signingOut} onClose={() => setSigningOut(undefined)} />}
      {removing && <RemoveMemberDialog member={removing} onClose={() => setRemoving(undefined)} />}
    </PageFrame>
  )
}
