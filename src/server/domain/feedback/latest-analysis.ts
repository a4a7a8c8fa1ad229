import type { FeedbackAnalysis, GetFeedbackAnalysis } from '../../../contract/feedback-analysis.ts'
import { findLatest, lastCompletedAt } from '../../storage/feedback/analyses.ts'
import type { Actor } from '../actor.ts'
import type { Service } from '../service.ts'
import { mayAccess } from '../tasks/key-limits.ts'
import { presentForAgents } from './present-analysis.ts'

/**
 * The latest run of an app and type, in any state. If it is not completed, the response also says
 * when the last completed run ended.
 */
export async function latestAnalysis(
  { database }: Service,
  actor: Actor,
  { app = 'default', type }: GetFeedbackAnalysis,
): Promise<FeedbackAnalysis> {
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const row = mayAccess(actor, { app, type }) ? await findLatest(tx, { app, type }) : undefined
    if (!row) {
      return {
        found: false,
        message: `No feedback analysis exists for app "${app}" and type "${type}". A person can start one in Handrail, on the Statistics page.`,
      }
    }
    const completedAt = row.status === 'completed' ? undefined : await lastCompletedAt(tx, { app, type })
    return presentForAgents(row, completedAt)
  })
}
