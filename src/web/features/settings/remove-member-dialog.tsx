import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Member } from '../../../contract/workspace.ts'
import { useHere } from '../../lib/person.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { plain } from '../../ui/visible-text.tsx'

export function RemoveMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { me, workspaceId, api } = useHere()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isMe = member.userId === me.person.userId
  const [erase, setErase] = useState(false)

  async function remove() {
    await api.removeMember(member.userId, { erase })
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
    >
      <label className="check-line">
        <input type="checkbox" checked={erase} onChange={(event) => setErase(event.target.checked)} />
        <span>
          {isMe ? 'Erase my e-mail address here' : 'Erase their e-mail address here'}
          <small>
            Answers and the audit then tell of a former member.
            {isMe
              ? ' If this is your only workspace, your account goes, too.'
              : ' Without another workspace, their account goes, too.'}
          </small>
        </span>
      </label>
    </ConfirmDialog>
  )
}
