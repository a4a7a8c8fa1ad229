import type { WebhookSecrets } from '../../../contract/delivery.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ConfirmIdentityDialog } from '../../ui/confirm-identity-dialog.tsx'

type Props = { onRevealed: (secrets: WebhookSecrets) => void; onClose: () => void }

export function RevealSecretDialog({ onRevealed, onClose }: Props) {
  const { api } = useWorkspace()
  return (
    <ConfirmIdentityDialog
      title="Show webhook secret?"
      description="The audit log records that you viewed the secret."
      confirmLabel="Show secret"
      failureMessage="The secret wasn't shown."
      onSubmit={async (confirmation) => onRevealed(await api.revealWebhookSecret(confirmation))}
      onClose={onClose}
    />
  )
}
