import { useQueryClient } from '@tanstack/react-query'
import type { Member, Role } from '../../../contract/workspace.ts'
import { useWorkspace } from '../../lib/person.ts'
import { plain } from '../../lib/plain-text.ts'
import { mayDo, roleTitle } from '../../lib/role.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

type Props = { member: Member; role: Role; onClose: () => void }

export function ChangeRoleDialog({ member, role, onClose }: Props) {
  const { me, workspaceId, api } = useWorkspace()
  const queryClient = useQueryClient()
  const isMe = member.userId === me.person.userId
  const title = roleTitle[role].toLowerCase()
  return (
    <ConfirmDialog
      title={isMe ? `Become ${title}` : `Make ${plain(member.name)} ${title}`}
      about={isMe ? 'You give up what only owners may do. Another owner can give it back.' : mayDo[role]}
      confirm={isMe ? `Become ${title}` : `Make ${title}`}
      keep="Keep the role"
      onConfirm={async () => {
        await api.changeMember(member.userId, role)
        await queryClient.invalidateQueries({ queryKey: ['members', workspaceId] })
        if (isMe) await queryClient.invalidateQueries({ queryKey: ['me'] })
      }}
      onClose={onClose}
    />
  )
}
