import type { ApiKey } from '../../../contract/workspace.ts'
import { useWorkspace } from '../../lib/person.ts'
import { plain } from '../../lib/plain-text.ts'
import { ago } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

type Props = { apiKey: ApiKey; onRevoked: () => Promise<void>; onClose: () => void }

export function RevokeApiKeyDialog({ apiKey, onRevoked, onClose }: Props) {
  const { api } = useWorkspace()
  const now = useNow()
  const used = apiKey.lastUsedAt ? `It was last used ${ago(apiKey.lastUsedAt, now)}.` : 'It was never used.'
  return (
    <ConfirmDialog
      title={`Revoke ${plain(apiKey.name)}`}
      about={`Requests with ${apiKey.firstCharacters}…${apiKey.lastFour} will fail within five seconds. You can't undo this. ${used} Its tasks are kept, and the key stays in this list.`}
      confirm="Revoke key"
      onConfirm={async () => {
        await api.revokeApiKey(apiKey.keyId)
        await onRevoked()
      }}
      onClose={onClose}
    />
  )
}
