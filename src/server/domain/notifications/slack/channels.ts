import type { Transaction } from '../../../storage/engine/database.ts'
import type { NotificationRoute } from '../../../storage/notifications/routes.ts'
import { listPolicies } from '../../../storage/review/policies.ts'
import type { TaskRow } from '../../../storage/tasks/tasks.ts'
import { matchingPolicy } from '../../review/plan-review.ts'

/**
 * Removes the routes of Slack channels that get only the tasks of other policies or groups, and all
 * but one of several routes to the same channel.
 */
export async function matchingChannels(
  tx: Transaction,
  task: TaskRow,
  routes: NotificationRoute[],
): Promise<NotificationRoute[]> {
  if (!routes.some(({ slackChannel }) => slackChannel)) return routes
  const policyId = matchingPolicy(await listPolicies(tx), task)?.id
  const { by = [], within = [], escalatedTo = [] } = task.review ?? {}
  const groups = [task.assignedToId, ...by, ...within, ...escalatedTo]
  const seen = new Set<string>()
  return routes.filter(({ slackChannel }) => {
    if (!slackChannel) return true
    if (slackChannel.policyId !== undefined && slackChannel.policyId !== policyId) return false
    if (slackChannel.groupId !== undefined && !groups.includes(slackChannel.groupId)) return false
    if (seen.has(slackChannel.channelId)) return false
    seen.add(slackChannel.channelId)
    return true
  })
}
