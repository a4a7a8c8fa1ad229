import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Confirmation } from '../../../contract/confirmation.ts'
import { useRole } from '../../lib/role.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ConfirmIdentityDialog } from '../../ui/confirm-identity-dialog.tsx'
import { NotAllowed } from '../../ui/not-allowed.tsx'
import { SwitchLine } from '../../ui/switch-line.tsx'

type Props = { allowed: boolean; count: number }

/**
 * To turn the switch on, a person confirms their identity. Turning it off disconnects every app, so
 * they confirm that as well, but without their password.
 */
export function AllowConnectedApps({ allowed, count }: Props) {
  const { api, workspaceId } = useWorkspace()
  const { isAtLeast } = useRole()
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const change = async (value: boolean, confirmation?: Confirmation) =>
    queryClient.setQueryData(
      ['connected-apps', workspaceId],
      await api.allowConnectedApps(value, confirmation),
    )

  if (!isAtLeast('admin')) {
    return allowed ? null : <NotAllowed minRole="admin" to="allow members to connect apps" />
  }
  return (
    <>
      <SwitchLine
        label="Allow members to connect apps"
        description={
          allowed
            ? 'Apps such as Claude and ChatGPT can be connected by signing in. When you turn this off, all connected apps lose access within five seconds. API keys keep working.'
            : 'Apps such as Claude and ChatGPT connect by signing in, without an API key. Each member decides which apps to connect to this workspace.'
        }
        checked={allowed}
        onChange={() => setAsking(true)}
      />
      {isAsking && !allowed && (
        <ConfirmIdentityDialog
          title="Allow members to connect apps?"
          description="Each member can then connect apps that send tasks and read answers in this workspace. Apps can never answer."
          confirmLabel="Allow"
          onSubmit={(confirmation) => change(true, confirmation)}
          onClose={() => setAsking(false)}
        />
      )}
      {isAsking && allowed && (
        <ConfirmDialog
          title="Stop allowing members to connect apps?"
          description={`${describeCount(count)} API keys keep working.`}
          confirmLabel="Stop allowing"
          onConfirm={() => change(false)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

function describeCount(count: number): string {
  if (count === 0) return 'No app is connected right now.'
  if (count === 1) return 'The connected app loses access within five seconds and must be connected again.'
  return `All ${count} connected apps lose access within five seconds and must be connected again.`
}
