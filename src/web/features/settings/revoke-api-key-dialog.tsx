import type { ApiKey } from '../../../contract/api-key.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { formatAgo } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

type Props = { apiKey: ApiKey; onRevoked: () => Promise<void>; onClose: () => void }

export function RevokeApiKeyDialog({ apiKey, onRevoked, onClose }: Props) {
  const { api } = useWorkspace()
  const now = useNow()
  const used = apiKey.lastUsedAt
    ? `It was last used ${formatAgo(apiKey.lastUsedAt, now)}.`
    : 'It was never used.'
  return (
    <ConfirmDialog
      title={`Revoke ${escapeBidi(apiKey.name)}?`}
      description={`Requests with ${apiKey.firstCharacters}…${apiKey.lastFour} will fail within five seconds. You can't undo this. ${used} Its tasks are kept, and the key stays in this list.`}
      confirmLabel="Revoke key"
      onConfirm={async () => {
        await api.revokeApiKey(apiKey.keyId)
        await onRevoked()
      }}
      onClose={onClose}
    />
  )
}
