import type { Member } from '../../../contract/workspace.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

type Props = { member: Member; onClose: () => void }

export function SignOutMemberDialog({ member, onClose }: Props) {
  const { api } = useWorkspace()
  const name = escapeBidi(member.name)
  return (
    <ConfirmDialog
      title={`Sign out ${name}?`}
      description="They are signed out on all devices. In this workspace, the apps they connected lose access, their Slack user is unlinked, and their browsers get no more push messages. They can sign in again."
      confirmLabel="Sign out"
      onConfirm={() => api.endSessions(member.userId)}
      onClose={onClose}
    />
  )
}
