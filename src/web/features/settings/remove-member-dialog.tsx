import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiKey } from '../../../contract/api-key.ts'
import type { Member } from '../../../contract/workspace.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { useRole } from '../../lib/role.ts'
import { useApiKeys } from '../../lib/use-api-keys.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import checkLineStyles from '../../ui/check-line.module.css'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { KeysToRevoke } from './keys-to-revoke.tsx'

export function RemoveMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { me, workspaceId, api } = useWorkspace()
  const { isAtLeast } = useRole()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isMe = member.userId === me.person.userId
  const apiKeys = useApiKeys({ enabled: isAtLeast('admin') })
  const [keptKeyIds, setKeptKeyIds] = useState<ReadonlySet<string>>(new Set())
  const [erase, setErase] = useState(false)
  // Wait for the list of keys, so that nobody confirms without seeing it.
  if (apiKeys.isLoading) return null
  const theirKeys = (apiKeys.data ?? []).filter((key) => key.createdBy === member.email && isValid(key))

  async function remove() {
    const revokeKeys = theirKeys.map(({ keyId }) => keyId).filter((keyId) => !keptKeyIds.has(keyId))
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
    const next = new Set(keptKeyIds)
    if (isKept) next.add(keyId)
    else next.delete(keyId)
    setKeptKeyIds(next)
  }

  return (
    <ConfirmDialog
      title={isMe ? 'Leave workspace?' : `Remove ${escapeBidi(member.name)}?`}
      description={
        isMe
          ? "You'll lose access to this workspace immediately. Tasks assigned to you will have no assignee. Your pending invitations will be revoked, and your connected apps disconnected. You can rejoin only by invitation. Your answers are kept."
          : "They'll lose access to this workspace immediately. Tasks assigned to them will have no assignee. Their pending invitations will be revoked, and their connected apps disconnected. They can rejoin only by invitation. Their answers are kept."
      }
      confirmLabel={isMe ? 'Leave workspace' : 'Remove member'}
      onConfirm={remove}
      onClose={onClose}
    >
      {theirKeys.length > 0 && (
        <KeysToRevoke keys={theirKeys} isMe={isMe} keptKeyIds={keptKeyIds} onKeep={keep} />
      )}
      {isMe && !isAtLeast('admin') && (
        <p>API keys that you created as an admin stay valid. An admin can revoke them.</p>
      )}
      {apiKeys.error && (
        <p>The API keys couldn't be loaded. Keys that {isMe ? 'you' : 'they'} created stay valid.</p>
      )}
      <label className={checkLineStyles.checkLine}>
        <input type="checkbox" checked={erase} onChange={(event) => setErase(event.target.checked)} />
        <span>
          Erase {isMe ? 'your' : 'their'} email address from this workspace
          <small>
            Answers and the audit log will show “Former member”.
            {isMe
              ? ' If this is your only workspace, your account is deleted too.'
              : ' If this is their only workspace, their account is deleted too.'}
          </small>
        </span>
      </label>
    </ConfirmDialog>
  )
}

function isValid({ revokedAt, expiresAt }: ApiKey): boolean {
  return revokedAt === undefined && (expiresAt === undefined || Date.parse(expiresAt) > Date.now())
}
