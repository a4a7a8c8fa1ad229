import { useState } from 'react'
import type { WebhookSecrets } from '../../../contract/delivery.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ConfirmIdentityDialog } from '../../ui/confirm-identity-dialog.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import secretBoxStyles from '../../ui/secret-box.module.css'
import { RevealSecretDialog } from './reveal-secret-dialog.tsx'

export function WebhookSecret() {
  const { api } = useWorkspace()
  const [secrets, setSecrets] = useState<WebhookSecrets>()
  const [dialog, setDialog] = useState<'reveal' | 'rotate'>()
  return (
    <section>
      <h2>Webhook secret</h2>
      <p>
        Your receivers use it to verify that a request comes from Handrail. Before you see or rotate it,
        Handrail checks again that it's you.
      </p>
      <div className={secretBoxStyles.box}>
        <SecretLine noun="secret" secret={secrets?.secret} />
        {secrets?.previous && <SecretLine noun="old secret" secret={secrets.previous} />}
        {secrets?.previous && (
          <p className={secretBoxStyles.warning} role="status">
            Both secrets sign for 24 hours after a rotation. Update your receivers in that time.
          </p>
        )}
      </div>
      <div className="buttons">
        {secrets ? (
          <button type="button" className="btn" onClick={() => setSecrets(undefined)}>
            Hide secret
          </button>
        ) : (
          <button type="button" className="btn" onClick={() => setDialog('reveal')}>
            Show secret
          </button>
        )}
        <button type="button" className="btn quiet" onClick={() => setDialog('rotate')}>
          Rotate
        </button>
      </div>
      {dialog === 'reveal' && (
        <RevealSecretDialog onRevealed={setSecrets} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'rotate' && (
        <ConfirmIdentityDialog
          title="Rotate webhook secret?"
          description="Creates and shows a new secret. Both secrets sign for 24 hours, so that you can update your receivers. A secret from an earlier rotation stops signing immediately."
          confirmLabel="Rotate secret"
          failureMessage="The secret wasn't rotated."
          onSubmit={async (confirmation) => setSecrets(await api.rotateWebhookSecret(confirmation))}
          onClose={() => setDialog(undefined)}
        />
      )}
    </section>
  )
}

function SecretLine({ noun, secret }: { noun: string; secret: string | undefined }) {
  return (
    <div className={secretBoxStyles.value}>
      <code>{secret ?? `whsec_${'•'.repeat(20)}`}</code>
      {secret && (
        <CopyButton className="btn small" confirmation="text" text={() => secret}>
          Copy {noun}
        </CopyButton>
      )}
    </div>
  )
}
