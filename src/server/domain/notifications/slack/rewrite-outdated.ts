import { insertDeliveries } from '../../../storage/delivery/deliveries.ts'
import type { Transaction } from '../../../storage/engine/database.ts'
import {
  deleteSlackMessages,
  findWorkspacesToRewrite,
  slackMessagesChanged,
  takeOutdatedMessages,
} from '../../../storage/notifications/slack-messages.ts'
import { forEachWorkspace } from '../../for-each-workspace.ts'
import type { Service } from '../../service.ts'
import { deliveryTo } from './delivery.ts'

const batchSize = 100

/**
 * Queues the rewriting of messages that show an earlier state of their task. Returns true if there
 * may be more.
 */
export async function rewriteOutdatedMessages(service: Service, signal: AbortSignal): Promise<boolean> {
  const { database } = service
  const rows = await findWorkspacesToRewrite(database, batchSize)
  let hasMore = false
  const failure = 'failed to queue the rewriting of Slack messages'
  await forEachWorkspace(service, rows, failure, signal, ({ workspaceId }) =>
    database.inWorkspace(workspaceId, async (tx) => {
      const outdated = await takeOutdatedMessages(tx, batchSize)
      await insertDeliveries(
        tx,
        outdated.map(({ taskId, target }) => deliveryTo(taskId, target, { do: 'update' })),
      )
      if (outdated.length === batchSize) hasMore = true
    }),
  )
  return hasMore || rows.length === batchSize
}

/** Wakes the job: after an answer in Slack, people expect the message to change at once. */
export function requestRewriting({ database }: Service, workspaceId: string): void {
  database.wakeUps.announce(workspaceId, slackMessagesChanged)
}

export function onMessagesChanged({ database }: Service, wake: () => void): () => void {
  return database.wakeUps.listen(slackMessagesChanged, wake)
}

/** Queues deliveries that remove the content of these tasks from their messages in Slack. */
export async function clearSlackMessages(tx: Transaction, taskIds: string[]): Promise<void> {
  const messages = await deleteSlackMessages(tx, taskIds)
  await insertDeliveries(
    tx,
    messages.map(({ taskId, target, channelId, messageTs }) =>
      deliveryTo(taskId, target, { do: 'clear', channelId, messageTs }),
    ),
  )
}
