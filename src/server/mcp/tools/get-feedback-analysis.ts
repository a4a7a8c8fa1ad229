import { FeedbackAnalysis, GetFeedbackAnalysis } from '../../../contract/feedback-analysis.ts'
import { defineTool } from './tool.ts'

export const getFeedbackAnalysis = defineTool({
  name: 'get_feedback_analysis',
  title: 'Get feedback analysis',
  description:
    'The latest analysis of what people answered to tasks of this type, in the 30 days before it was started. Call it before you improve a prompt or code that uses send_to_human, with the same type and app. If isHealthy is false, follow agentInstructions; if true, nothing needs changing. If found is false, a person can start an analysis on the Statistics page.',
  scope: 'analysis:read',
  input: GetFeedbackAnalysis,
  output: FeedbackAnalysis.omit({ periodStart: true, periodEnd: true, lastCompletedAt: true }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async call({ client, defaultApp, signal }, args) {
    const app = args.app ?? defaultApp
    return { result: await client.latestFeedbackAnalysis({ ...args, app }, signal) }
  },
})
