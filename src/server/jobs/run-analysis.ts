import { randomUUID } from 'node:crypto'
import type { Analyst } from '../domain/feedback/analyst.ts'
import {
  claimDueAnalyses,
  listenForAnalyses,
  renewDueAnalyses,
  runAnalysis,
} from '../domain/feedback/run-analysis.ts'
import type { Service } from '../domain/service.ts'
import { leaseSeconds, startDueWorker } from './due-worker.ts'

// Reading answers keeps a core busy, and the rest of the process needs the CPU too.
const maxConcurrent = 2

/** Runs the feedback analyses that people have started. */
export function startFeedbackAnalyses(service: Service, analyst: Analyst) {
  const worker = randomUUID()
  return startDueWorker(
    {
      name: 'run-analysis',
      maxConcurrent,
      claim: (limit) => claimDueAnalyses(service, worker, limit, leaseSeconds),
      idOf: (analysis) => analysis.id,
      renew: (ids) => renewDueAnalyses(service, worker, ids, leaseSeconds),
      work: (analysis, signal) => runAnalysis(service, analyst, worker, analysis, signal),
    },
    service.log,
    (wake) => listenForAnalyses(service, wake),
  )
}
