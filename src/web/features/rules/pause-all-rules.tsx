import { useQueryClient } from '@tanstack/react-query'
import { announce } from '../../lib/announce.ts'
import { pluralize } from '../../lib/count.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

/** Confirms that every active rule is paused. For admins. */
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
      title="Pause all rules"
      description="Every active rule stops answering immediately, and its tasks go to people. Nothing is lost: you can resume each rule on its page."
      confirmLabel="Pause all rules"
      onConfirm={pauseAll}
      onClose={onClose}
    />
  )
}
