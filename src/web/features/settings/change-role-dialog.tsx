import { useQueryClient } from '@tanstack/react-query'
import type { Confirmation } from '../../../contract/confirmation.ts'
import type { Member, Role } from '../../../contract/workspace.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { describeRoleChange } from '../../lib/role-texts.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ConfirmIdentityDialog } from '../../ui/confirm-identity-dialog.tsx'

type Props = { member: Member; role: Role; onClose: () => void }

export function ChangeRoleDialog({ member, role, onClose }: Props) {
  const { me, workspaceId, api } = useWorkspace()
  const queryClient = useQueryClient()
  const isMe = member.userId === me.person.userId

  async function change(confirmation: Confirmation = {}) {
    await api.changeMember(member.userId, { role, ...confirmation })
    await queryClient.invalidateQueries({ queryKey: ['members', workspaceId] })
    if (isMe) await queryClient.invalidateQueries({ queryKey: ['me'] })
  }
  const texts = {
    title: isMe
      ? `Change your role to ${role}?`
      : `Change the role of ${escapeBidi(member.name)} to ${role}?`,
    description: isMe
      ? `You'll lose the permissions of ${role === 'member' ? 'owners and admins' : 'owners'}. Another owner can restore them.`
      : describeRoleChange(member.role, role),
    confirmLabel: 'Change role',
  }
  return role === 'owner' ? (
    <ConfirmIdentityDialog
      {...texts}
      failureMessage="The role wasn't changed."
      onSubmit={change}
      onClose={onClose}
    />
  ) : (
    <ConfirmDialog {...texts} onConfirm={() => change()} onClose={onClose} />
  )
}
