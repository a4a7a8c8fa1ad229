import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hoursAgo } from '../../lib/dates.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ChoiceGroup } from '../../ui/choice-group.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { timeRanges } from './time-ranges.ts'

export function RedeliverFailedDialog({ onClose }: { onClose: () => void }) {
  const { workspaceId, api } = useWorkspace()
  const queryClient = useQueryClient()
  const [hours, setHours] = useState<string>('24')
  return (
    <ConfirmDialog
      title="Redeliver failed deliveries?"
      description="Sends again the callbacks, messages to MCP streams, emails, push messages, and messages to Slack and to the chat webhook that failed in this time range. Those whose content was deleted, and notifications that are no longer needed, aren't sent. Callbacks keep their webhook-id and body, so that receivers can recognize duplicates."
      confirmLabel="Redeliver"
      onConfirm={async () => {
        await api.redeliverFailed(hoursAgo(Number(hours)))
        await queryClient.invalidateQueries({ queryKey: ['deliveries', workspaceId] })
      }}
      onClose={onClose}
    >
      <ChoiceGroup label="Time range" value={hours} options={timeRanges} onChoose={setHours} />
    </ConfirmDialog>
  )
}
