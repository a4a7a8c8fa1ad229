import { useState } from 'react'
import type { ApiKey, ApiKeyWithSecret } from '../../../contract/api-key.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ChoiceGroup } from '../../ui/choice-group.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

// The number of seconds for which the old secret stays valid, with labels.
const overlaps = [
  ['86400', 'After 24 hours', 'Gives you time to update the agent.'],
  ['604800', 'After 7 days'],
  ['0', 'Immediately', 'For a leaked key. The agent stops working until it has the new secret.'],
] as const

type Props = { apiKey: ApiKey; onRotated: (key: ApiKeyWithSecret) => void; onClose: () => void }

export function RotateApiKeyDialog({ apiKey, onRotated, onClose }: Props) {
  const { api } = useWorkspace()
  const [overlap, setOverlap] = useState<string>(overlaps[0][0])
  return (
    <ConfirmDialog
      title={`Rotate ${escapeBidi(apiKey.name)}?`}
      description={`The key keeps its name and gets a new secret, which is shown only once.${apiKey.exceedsMaxLifetime ? ' It will expire after the longest lifetime that this workspace allows.' : ''}`}
      confirmLabel="Rotate key"
      onConfirm={async () => {
        onRotated(await api.rotateApiKey(apiKey.keyId, { overlapSeconds: Number(overlap) }))
      }}
      onClose={onClose}
    >
      <ChoiceGroup
        label="When should the old secret expire?"
        value={overlap}
        options={overlaps}
        onChoose={setOverlap}
      />
    </ConfirmDialog>
  )
}
