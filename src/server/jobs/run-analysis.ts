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

// Reading answers keeps a core busy for a while; the rest of the process has work to do, too.
const atOnce = 2

/** Carries out the feedback analyses that people asked for. */
export function startAnalysing(service: Service, analyst: Analyst) {
  const worker = randomUUID()
  return startDueWorker(
    {
      name: 'run-analysis',
      atOnce,
      claim: (room) => claimDueAnalyses(service, worker, room, leaseSeconds),
      idOf: (analysis) => analysis.id,
      renew: (ids) => renewDueAnalyses(service, worker, ids, leaseSeconds),
      work: (analysis, signal) => runAnalysis(service, analyst, worker, analysis, signal),
    },
    service.log,
    (wake) => listenForAnalyses(service, wake),
  )
}
