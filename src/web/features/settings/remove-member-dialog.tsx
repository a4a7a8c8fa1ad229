import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Member } from '../../../contract/workspace.ts'
import { useHere } from '../../lib/person.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { plain } from '../../ui/visible-text.tsx'

export function RemoveMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { me, workspaceId, api } = useHere()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isMe = member.userId === me.person.userId

  async function remove() {
    await api.removeMember(member.userId)
    if (!isMe) return await queryClient.invalidateQueries({ queryKey: ['members', workspaceId] })
    await queryClient.invalidateQueries({ queryKey: ['me'] })
    await navigate({ to: '/' })
  }

  return (
    <ConfirmDialog
      title={isMe ? 'Leave this workspace' : `Remove ${plain(member.name)}`}
      about={
        isMe
          ? 'You see its tasks no longer. To come back you need an invitation. Your answers stay.'
          : 'They see the tasks no longer, at once. To come back they need an invitation. Their answers stay.'
      }
      confirm={isMe ? 'Leave' : 'Remove'}
      keep={isMe ? 'Stay' : 'Keep'}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
