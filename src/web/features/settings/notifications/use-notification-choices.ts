import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChooseNotifications, Notifications } from '../../../../contract/notification.ts'
import { useWorkspace } from '../../../lib/workspace.ts'

/**
 * The person's choices as the page shows them. A change is shown before it is saved. Changes are
 * saved one after the other, each with all choices. When the last save has ended, the stored
 * choices are shown again, also after a failure.
 */
export function useNotificationChoices(stored: Notifications) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [unsaved, setUnsaved] = useState<ChooseNotifications>()
  const queryKey = ['notifications', workspaceId]
  const mutationKey = ['choose-notifications', workspaceId]
  const save = useMutation({
    mutationKey,
    mutationFn: api.chooseNotifications,
    scope: { id: mutationKey.join() },
    onMutate: () => queryClient.cancelQueries({ queryKey }),
    onSuccess: (changed) => queryClient.setQueryData(queryKey, changed),
    onSettled: () => {
      // The count still includes the save that has just ended.
      const isLast = queryClient.isMutating({ mutationKey }) === 1
      if (isLast) setUnsaved(undefined)
    },
  })
  const choices = unsaved ?? choicesOf(stored)
  function change(changed: Partial<ChooseNotifications>) {
    const all = { ...choices, ...changed }
    setUnsaved(all)
    save.mutate(all)
  }
  return { choices, change, error: save.error }
}

export type NotificationChoices = ReturnType<typeof useNotificationChoices>

function choicesOf({ mail, push, slack, quietHours }: Notifications): ChooseNotifications {
  return { mail: mail.wants, push: push.wants, slack: slack.wants, quietHours }
}
