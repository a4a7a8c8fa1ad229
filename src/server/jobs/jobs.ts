import type { Transport } from '../domain/delivery/transport.ts'
import type { Analyst } from '../domain/feedback/analyst.ts'
import type { Service } from '../domain/service.ts'
import { startAnalyzingNewTables } from './analyze-new-tables.ts'
import { startChainingAudit, startLoggingAuditHeads } from './chain-audit.ts'
import { startClearing } from './clear-outdated.ts'
import { startClearingOAuth } from './clear-unused-oauth.ts'
import { startDelivering } from './deliver.ts'
import { startErasing } from './erase-people.ts'
import { startExpiring } from './expire-tasks.ts'
import { startPruningEvents } from './prune-events.ts'
import { startPruningIdempotencyKeys } from './prune-idempotency-keys.ts'
import { startQueueingHeld } from './queue-held.ts'
import { startReturningUnanswered } from './return-unanswered.ts'
import { startRewritingSlackMessages } from './rewrite-slack-messages.ts'
import { startRollingUp } from './roll-up-answers.ts'
import { startFeedbackAnalyses } from './run-analysis.ts'
import { startClearingSteps, startRunningSteps } from './run-due-steps.ts'
import { startWatchingRules } from './watch-rules.ts'

export type Jobs = ReturnType<typeof startJobs>

/** Starts the background jobs of this process. */
export function startJobs(service: Service, transport: Transport, analyst: Analyst) {
  const jobs = [
    startDelivering(service, transport),
    startFeedbackAnalyses(service, analyst),
    startExpiring(service),
    startReturningUnanswered(service),
    startRunningSteps(service),
    startClearingSteps(service),
    startQueueingHeld(service),
    startRewritingSlackMessages(service),
    startWatchingRules(service),
    startRollingUp(service),
    startClearing(service),
    startErasing(service),
    startClearingOAuth(service),
    startPruningIdempotencyKeys(service),
    startPruningEvents(service),
    startChainingAudit(service),
    startLoggingAuditHeads(service),
    startAnalyzingNewTables(service),
  ]
  return {
    areHealthy: () => jobs.every((job) => job.isHealthy()),
    async close() {
      await Promise.all(jobs.map((job) => job.close()))
    },
  }
}
