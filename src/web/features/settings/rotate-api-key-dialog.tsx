import { useState } from 'react'
import type { ApiKey, ApiKeyWithSecret } from '../../../contract/workspace.ts'
import { useWorkspace } from '../../lib/person.ts'
import { plain } from '../../lib/plain-text.ts'
import { ChoiceGroup } from '../../ui/choice-group.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

// Values in seconds.
const overlaps = [
  ['86400', '24 hours', 'Time to change the agent over.'],
  ['604800', '7 days'],
  ['0', 'Not at all', 'The agent fails until it has the new key. For a key that leaked.'],
] as const

type Props = { apiKey: ApiKey; onRotated: (key: ApiKeyWithSecret) => void; onClose: () => void }

export function RotateApiKeyDialog({ apiKey, onRotated, onClose }: Props) {
  const { api } = useWorkspace()
  const [overlap, setOverlap] = useState<string>(overlaps[0][0])
  return (
    <ConfirmDialog
      title={`Rotate ${plain(apiKey.name)}`}
      about="The key keeps its name and gets a new secret, which you see once."
      confirm="Rotate"
      keep="Keep the old one"
      onConfirm={async () => {
        onRotated(await api.rotateApiKey(apiKey.keyId, { overlapSeconds: Number(overlap) }))
      }}
      onClose={onClose}
    >
      <ChoiceGroup
        label="How long does the old one still work?"
        value={overlap}
        options={overlaps}
        onChoose={setOverlap}
      />
    </ConfirmDialog>
  )
}
