import type { Outcome } from '../../../contract/action.ts'
import type { AnalysisResult } from '../../../contract/feedback-analysis.ts'
import type { NullableJson, WithDefault } from './column-types.ts'

/** Analyses of what people answered. */
export interface FeedbackTables {
  analyses: {
    id: string
    workspaceId: string
    app: string
    type: string
    status: WithDefault<'pending' | 'running' | 'completed' | 'failed'>
    startedBy: string
    createdAt: WithDefault<Date>
    endedAt: Date | null
    periodStart: Date
    periodEnd: Date
    leasedUntil: Date | null
    leasedBy: string | null
    attemptCount: WithDefault<number>
    tasksRead: WithDefault<number>
    tasksToRead: WithDefault<number>
    taskCount: WithDefault<number>
    isHealthy: boolean | null
    summary: WithDefault<string>
    recommendation: WithDefault<string>
    agentInstructions: WithDefault<string>
    result: NullableJson<AnalysisResult>
    /** Who wrote the texts: "built-in" or the name of a model. null until they are written. */
    analyst: string | null
    /** Why the configured language model did not write the texts, otherwise null. */
    note: string | null
    /**
     * Says that there were too few answers, otherwise null. The `message` of the API is composed
     * from this and other columns.
     */
    message: WithDefault<string | null>
    error: string | null
  }
  actionOutcomes: {
    workspaceId: string
    app: string
    type: string
    actionId: string
    outcome: Outcome
    /** An id, so that nothing needs to be erased with the person. */
    setBy: string
    setAt: WithDefault<Date>
  }
}
