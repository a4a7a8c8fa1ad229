import type { Transaction } from '../../../storage/engine/database.ts'
import type { Route } from '../../../storage/notifications/routes.ts'
import { listPolicies } from '../../../storage/review/policies.ts'
import type { TaskRow } from '../../../storage/tasks/tasks.ts'
import { matchingPolicy } from '../../review/plan-review.ts'

/**
 * The routes without those of Slack channels that get only the tasks of another policy or group. A
 * channel that has several routes gets a task once.
 */
export async function matchingChannels(tx: Transaction, task: TaskRow, routes: Route[]): Promise<Route[]> {
  if (!routes.some(({ slackChannel }) => slackChannel)) return routes
  const policyId = matchingPolicy(await listPolicies(tx), task)?.id
  const { by = [], within = [], escalatedTo = [] } = task.review ?? {}
  const groups = [task.assignedToId, ...by, ...within, ...escalatedTo]
  const found = new Set<string>()
  return routes.filter(({ slackChannel }) => {
    if (!slackChannel) return true
    if (slackChannel.policyId !== undefined && slackChannel.policyId !== policyId) return false
    if (slackChannel.groupId !== undefined && !groups.includes(slackChannel.groupId)) return false
    if (found.has(slackChannel.channelId)) return false
    found.add(slackChannel.channelId)
    return true
  })
}
