import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiKey, Member } from '../../../contract/workspace.ts'
import { useWorkspace } from '../../lib/person.ts'
import { plain } from '../../lib/plain-text.ts'
import { useRole } from '../../lib/role.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import checkLineStyles from './check-line.module.css'
import { KeysToRevoke } from './keys-to-revoke.tsx'
import { useApiKeys } from './use-api-keys.ts'

export function RemoveMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { me, workspaceId, api } = useWorkspace()
  const { isAtLeast } = useRole()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isMe = member.userId === me.person.userId
  const apiKeys = useApiKeys({ enabled: isAtLeast('admin') })
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const [erase, setErase] = useState(false)
  // Wait for the list of keys, so that nobody confirms without seeing it.
  if (apiKeys.isLoading) return null
  const theirKeys = (apiKeys.data ?? []).filter((key) => key.createdBy === member.email && isValid(key))

  async function remove() {
    const revokeKeys = theirKeys.map(({ keyId }) => keyId).filter((keyId) => !kept.has(keyId))
    await api.removeMember(member.userId, { erase, revokeKeys })
    if (!isMe) {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['members', workspaceId] }),
        queryClient.invalidateQueries({ queryKey: ['api-keys', workspaceId] }),
      ])
      return
    }
    await queryClient.invalidateQueries({ queryKey: ['me'] })
    await navigate({ to: '/' })
  }

  function keep(keyId: string, isKept: boolean) {
    const next = new Set(kept)
    if (isKept) next.add(keyId)
    else next.delete(keyId)
    setKept(next)
  }

  return (
    <ConfirmDialog
      title={isMe ? 'Leave this workspace' : `Remove ${plain(member.name)}`}
      about={
        isMe
          ? 'You’ll lose access to its tasks at once, and invitations you sent end. To come back you need an invitation. Your answers stay.'
          : 'They lose access to the tasks at once, and invitations they sent end. To come back they need an invitation. Their answers stay.'
      }
      confirm={isMe ? 'Leave' : 'Remove'}
      keep={isMe ? 'Stay' : 'Keep'}
      onConfirm={remove}
      onClose={onClose}
    >
      {theirKeys.length > 0 && <KeysToRevoke keys={theirKeys} isMe={isMe} kept={kept} onKeep={keep} />}
      {apiKeys.error && <p>The API keys did not load. Keys that this person created stay valid.</p>}
      <label className={checkLineStyles.checkLine}>
        <input type="checkbox" checked={erase} onChange={(event) => setErase(event.target.checked)} />
        <span>
          {isMe ? 'Erase my email address here' : 'Erase their email address here'}
          <small>
            Answers and the audit then show “Former member”.
            {isMe
              ? ' If this is your only workspace, your account goes, too.'
              : ' Without another workspace, their account goes, too.'}
          </small>
        </span>
      </label>
    </ConfirmDialog>
  )
}

function isValid({ revokedAt, expiresAt }: ApiKey): boolean {
  return revokedAt === undefined && (expiresAt === undefined || Date.parse(expiresAt) > Date.now())
}
