import { useQueryClient } from '@tanstack/react-query'
import { useWorkspace } from '../../lib/person.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

export function DeleteContentDialog({ taskId, onClose }: { taskId: string; onClose: () => void }) {
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
      title="Delete the content"
      about="What the agent sent, what was answered and every message go for good, here and in the delivery log. How it ended, when and by whom stays. What the agent has not been told yet, it will not be told."
      confirm="Delete content"
      keep="Keep it"
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
