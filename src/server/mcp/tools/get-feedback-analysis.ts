import { FeedbackAnalysis, GetFeedbackAnalysis } from '../../../contract/feedback-analysis.ts'
import { defineTool } from './tool.ts'

export const getFeedbackAnalysis = defineTool({
  name: 'get_feedback_analysis',
  title: 'Get feedback analysis',
  description:
    'An analysis of what humans answered to tasks of this type in the last 30 days. Call it before you improve code that uses send_to_human, with the same type and app. Read-only: people start an analysis in Handrail, on the Statistics page. Use agentInstructions when status is "completed" and isHealthy is false; when isHealthy is true, nothing needs changing. If found is false, there is no analysis yet.',
  scope: 'analysis:read',
  input: GetFeedbackAnalysis,
  output: FeedbackAnalysis,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async call({ client, defaultApp, signal }, args) {
    const app = args.app ?? defaultApp
    return { result: await client.latestFeedbackAnalysis({ ...args, app }, signal) }
  },
})
