import { useQueryClient } from '@tanstack/react-query'
import { announce } from '../../lib/announce.ts'
import { pluralize } from '../../lib/count.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

/** Asks an admin to confirm, then pauses every active rule. */
export function PauseAllRules({ onClose }: { onClose: () => void }) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  async function pauseAll() {
    const { paused } = await api.pauseAllRules()
    announce(`${pluralize(paused, 'rule')} paused`)
    await queryClient.invalidateQueries({ queryKey: ['rules', workspaceId] })
  }
  return (
    <ConfirmDialog
      title="Pause all rules?"
      description="Every active rule stops answering immediately, and its tasks go to people. No task is lost. You can resume each rule on its page; that resets its evidence."
      confirmLabel="Pause all rules"
      onConfirm={pauseAll}
      onClose={onClose}
    />
  )
}
