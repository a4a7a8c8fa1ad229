import { useQueryClient } from '@tanstack/react-query'
import { useWorkspace } from '../../lib/workspace.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

export default function DeleteContentDialog({ taskId, onClose }: { taskId: string; onClose: () => void }) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()

  async function remove() {
    await api.deleteContent(taskId)
    await Promise.all(
      ['task', 'handled', 'timeline', 'deliveries', 'delivery'].map((key) =>
        queryClient.invalidateQueries({ queryKey: [key, workspaceId] }),
      ),
    )
  }

  return (
    <ConfirmDialog
      title="Delete content?"
      description="This permanently deletes the task's content, its answer and all messages, including copies in the delivery log. The record of how the task ended, when and by whom is kept. Results that haven't been delivered yet won't be delivered."
      confirmLabel="Delete content"
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
