import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../lib/person.ts'
import { ChoiceGroup } from '../../ui/choice-group.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

const hourMilliseconds = 3_600_000
// Values in hours.
const timeWindows = [
  ['1', 'The last hour'],
  ['24', 'The last 24 hours'],
  ['168', 'The last 7 days'],
  ['720', 'The last 30 days'],
] as const

export function RedeliverFailedDialog({ onClose }: { onClose: () => void }) {
  const { workspaceId, api } = useWorkspace()
  const queryClient = useQueryClient()
  const [hours, setHours] = useState<string>('24')
  return (
    <ConfirmDialog
      title="Redeliver all failed"
      about="What was given up is sent once more, with the same id and the same bytes. A receiver that keeps webhook-id drops what it has seen."
      confirm="Redeliver"
      keep="Leave it"
      onConfirm={async () => {
        await api.redeliverFailed(new Date(Date.now() - Number(hours) * hourMilliseconds).toISOString())
        await queryClient.invalidateQueries({ queryKey: ['deliveries', workspaceId] })
      }}
      onClose={onClose}
    >
      <ChoiceGroup label="Since when?" value={hours} options={timeWindows} onChoose={setHours} />
    </ConfirmDialog>
  )
}
