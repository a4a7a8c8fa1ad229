import type { FeedbackAnalysis, GetFeedbackAnalysis } from '../../../contract/feedback-analysis.ts'
import type { Actor } from '../actor.ts'
import type { Service } from '../service.ts'

/** No analysis can be started yet, so there is none to be found. */
export async function latestAnalysis(
  _service: Service,
  _actor: Actor,
  { app = 'default', type }: GetFeedbackAnalysis,
): Promise<FeedbackAnalysis> {
  return {
    found: false,
    message: `No feedback analysis exists for app "${app}" and type "${type}". People start one in the dashboard, under Statistics.`,
  }
}
