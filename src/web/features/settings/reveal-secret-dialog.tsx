import type { WebhookSecrets } from '../../../contract/delivery.ts'
import { useWorkspace } from '../../lib/person.ts'
import { PasswordDialog } from '../../ui/password-dialog.tsx'

type Props = { onRevealed: (secrets: WebhookSecrets) => void; onClose: () => void }

export function RevealSecretDialog({ onRevealed, onClose }: Props) {
  const { api } = useWorkspace()
  return (
    <PasswordDialog
      title="Show the signing secret"
      about="Your password once more: an open browser is not enough. The audit notes that it was shown."
      label="Password"
      confirm="Show the secret"
      refuse="Keep it hidden"
      unchanged="Not shown."
      onPassword={async (password) => onRevealed(await api.revealWebhookSecret(password))}
      onClose={onClose}
    />
  )
}
