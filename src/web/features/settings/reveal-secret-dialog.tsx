import type { WebhookSecrets } from '../../../contract/delivery.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { PasswordDialog } from '../../ui/password-dialog.tsx'

type Props = { onRevealed: (secrets: WebhookSecrets) => void; onClose: () => void }

export function RevealSecretDialog({ onRevealed, onClose }: Props) {
  const { api } = useWorkspace()
  return (
    <PasswordDialog
      title="Show webhook secret"
      description="Enter your password to continue. The audit log records that you viewed the secret."
      confirmLabel="Show secret"
      failureMessage="The secret wasn't shown."
      onSubmit={async (password) => onRevealed(await api.revealWebhookSecret(password))}
      onClose={onClose}
    />
  )
}
