import type { AnalysisRun, FeedbackAnalysis } from '../../../contract/feedback-analysis.ts'
import { limits } from '../../../contract/limits.ts'
import { type AnalysisRow, isCancelledError } from '../../storage/feedback/analyses.ts'
import type { CurrentVersion } from './current-version.ts'
import { count, ofHowMany } from './format.ts'

/** Why there is no verdict yet. Composed from counts alone: agents read it, so it quotes nobody. */
export function describeTooFew(
  current: Pick<CurrentVersion, 'newestAnswers' | 'previous'> | undefined,
): string {
  const { newestAnswers, previous } = current ?? {}
  const which = previous ? ' the version that runs now' : ''
  const few = `Too few answers to judge${which}: ${newestAnswers?.n ?? 0} of ${limits.answersToJudge} required. No changes are recommended.`
  return previous ? `${few} Negative answers to the previous version: ${ofHowMany(previous)}.` : few
}

/** The state of a run in a few sentences. */
export function messageOf({
  status,
  isHealthy,
  tasksRead,
  tasksToRead,
  error,
  note,
  tooFewMessage,
  summary,
}: AnalysisRow): string {
  switch (status) {
    case 'pending':
      return 'A feedback analysis is queued. Ask again in a minute.'
    case 'running':
      return `A feedback analysis is in progress: ${count(tasksRead)} of ${count(tasksToRead)} tasks read. Ask again in a minute.`
    case 'failed':
      return `The feedback analysis ${isCancelledError(error) ? 'was cancelled.' : `failed: ${error}`} A person can start another in Handrail, on the Statistics page.`
    case 'completed': {
      if (summary === '')
        return 'The texts of this analysis were deleted together with the content of its tasks. A person can start another in Handrail, on the Statistics page.'
      const found =
        tooFewMessage ??
        (isHealthy
          ? 'Healthy: no changes are recommended.'
          : 'Not healthy: changes are recommended. Follow agentInstructions.')
      return note === null ? found : `${found} ${note}`
    }
  }
}

/** The fields of a run that both agents and people see. */
function commonFields(row: AnalysisRow) {
  const isCompleted = row.status === 'completed'
  return {
    status: row.status,
    message: messageOf(row),
    taskCount: isCompleted ? row.taskCount : 0,
    periodStart: row.periodStart.toISOString(),
    periodEnd: row.periodEnd.toISOString(),
    summary: row.summary,
    recommendation: row.recommendation,
    agentInstructions: row.agentInstructions,
    isHealthy: row.isHealthy,
  }
}

export function presentForAgents(row: AnalysisRow, lastCompletedAt: Date | undefined): FeedbackAnalysis {
  return {
    found: true,
    ...commonFields(row),
    ...(lastCompletedAt && { lastCompletedAt: lastCompletedAt.toISOString() }),
  }
}

export function presentRun(row: AnalysisRow): AnalysisRun {
  return {
    analysisId: row.id,
    app: row.app,
    type: row.type,
    ...commonFields(row),
    isCancelled: isCancelledError(row.error),
    tooFew: row.tooFewMessage !== null,
    ...(row.startedBy !== null && { startedBy: row.startedBy }),
    createdAt: row.createdAt.toISOString(),
    ...(row.endedAt !== null && { endedAt: row.endedAt.toISOString() }),
    progress: { tasksRead: row.tasksRead, tasksToRead: row.tasksToRead },
    ...(row.analyst !== null && { analyst: row.analyst }),
    ...(row.note !== null && { note: row.note }),
  }
}
