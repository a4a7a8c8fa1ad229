import { useState } from 'react'
import type { WebhookSecrets } from '../../../contract/delivery.ts'
import { useWorkspace } from '../../lib/person.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import shownOnceStyles from '../../ui/shown-once.module.css'
import { RevealSecretDialog } from './reveal-secret-dialog.tsx'

export function WebhookSecret() {
  const { api } = useWorkspace()
  const [secrets, setSecrets] = useState<WebhookSecrets>()
  const [dialog, setDialog] = useState<'reveal' | 'rotate'>()
  return (
    <section>
      <h2>Signing secret</h2>
      <p>
        One for the workspace. Whoever has it can sign calls in our name, so it is shown only after your
        password.
      </p>
      <div className={shownOnceStyles.keybox}>
        <SecretLine what="secret" secret={secrets?.secret} />
        {secrets?.previous && <SecretLine what="old secret" secret={secrets.previous} />}
        {secrets?.previous && (
          <p className={shownOnceStyles.once} role="status">
            For 24 hours after a rotation both sign. Change your receivers over one by one.
          </p>
        )}
      </div>
      <div className="buttons">
        {secrets ? (
          <button type="button" className="btn" onClick={() => setSecrets(undefined)}>
            Hide
          </button>
        ) : (
          <button type="button" className="btn" onClick={() => setDialog('reveal')}>
            Show the secret
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
        <ConfirmDialog
          title="Rotate the signing secret"
          about="A new one is made and shown. For 24 hours both sign, so that receivers can change over. An older one that still overlaps stops at once."
          confirm="Rotate"
          keep="Keep it"
          onConfirm={async () => setSecrets(await api.rotateWebhookSecret())}
          onClose={() => setDialog(undefined)}
        />
      )}
    </section>
  )
}

function SecretLine({ what, secret }: { what: string; secret: string | undefined }) {
  return (
    <div className={shownOnceStyles.val}>
      <code>{secret ?? `whsec_${'•'.repeat(20)}`}</code>
      {secret && (
        <CopyButton className="btn small" icon={null} text={() => secret}>
          Copy {what}
        </CopyButton>
      )}
    </div>
  )
}
