import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../lib/workspace.ts'
import { ChoiceGroup } from '../../ui/choice-group.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

const hourMilliseconds = 3_600_000
// Values in hours.
const timeWindows = [
  ['1', 'Last hour'],
  ['24', 'Last 24 hours'],
  ['168', 'Last 7 days'],
  ['720', 'Last 30 days'],
] as const

export function RedeliverFailedDialog({ onClose }: { onClose: () => void }) {
  const { workspaceId, api } = useWorkspace()
  const queryClient = useQueryClient()
  const [hours, setHours] = useState<string>('24')
  return (
    <ConfirmDialog
      title="Redeliver failed deliveries"
      description="Sends failed deliveries again with the same webhook-id and body, so that receivers can recognize duplicates."
      confirmLabel="Redeliver"
      onConfirm={async () => {
        await api.redeliverFailed(new Date(Date.now() - Number(hours) * hourMilliseconds).toISOString())
        await queryClient.invalidateQueries({ queryKey: ['deliveries', workspaceId] })
      }}
      onClose={onClose}
    >
      <ChoiceGroup label="Time range" value={hours} options={timeWindows} onChoose={setHours} />
    </ConfirmDialog>
  )
}
