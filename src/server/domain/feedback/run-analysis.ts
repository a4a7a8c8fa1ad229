import { completeInTurns, createTurns } from '../../lib/event-loop.ts'
import { joinSignals } from '../../lib/joined-signal.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import {
  analysesDue,
  claimAnalyses,
  type DueAnalysis,
  failUnfinished,
  isClaimedBy,
  latestResult,
  renewAnalyses,
  updateClaimed,
} from '../../storage/feedback/analyses.ts'
import { withoutDeletedQuotes } from '../../storage/feedback/analysis-quotes.ts'
import { countEnded, readAnswers } from '../../storage/feedback/answers.ts'
import { findWorkspace } from '../../storage/people/workspaces.ts'
import { findIdsByName } from '../../storage/review/groups.ts'
import type { PagePosition } from '../../storage/tasks/tasks.ts'
import type { Service } from '../service.ts'
import { taskUrl } from '../tasks/present-task.ts'
import { readOutcomesByAdmins } from './action-outcomes.ts'
import { analysisResult } from './analysis-result.ts'
import type { Analyst } from './analyst.ts'
import { judgeEarlierAdvice } from './earlier-advice.ts'
import { createFigures, type Figures } from './figures.ts'
import { deriveFindings } from './findings.ts'
import { healthOf } from './health.ts'
import { pairFindings } from './matched-pairs.ts'
import { describeTooFew } from './present-analysis.ts'

// So many answers are read per transaction.
const answersPerTransaction = 500
const maxAttempts = 3
/** How often a run checks that it was not cancelled while the analyst writes. */
const checkMilliseconds = 1_000

export function claimDueAnalyses({ database }: Service, worker: string, limit: number, leaseSeconds: number) {
  return claimAnalyses(database, { worker, limit, leaseSeconds })
}

export function renewDueAnalyses({ database }: Service, worker: string, ids: string[], leaseSeconds: number) {
  return renewAnalyses(database, worker, ids, leaseSeconds)
}

export function listenForAnalyses({ database }: Service, wake: () => void): () => void {
  return database.wakeUps.listen(analysesDue, wake)
}

/**
 * Reads the answers, lets the analyst write the texts and stores the result. If the process dies,
 * another one claims the run when its lease has expired, and starts over.
 */
export async function runAnalysis(
  service: Service,
  analyst: Analyst,
  worker: string,
  due: DueAnalysis,
  signal: AbortSignal,
): Promise<void> {
  const { database, publicUrl } = service
  const { id, workspaceId, app, type, periodStart, periodEnd } = due
  const inWorkspace = <T>(work: (tx: Transaction) => Promise<T>) => database.inWorkspace(workspaceId, work)
  if (due.attemptCount > maxAttempts) {
    await inWorkspace((tx) =>
      failUnfinished(tx, id, `it was started ${maxAttempts} times and never finished.`),
    )
    return
  }
  try {
    const figures = await collectFigures(service, worker, due, signal)
    if (!figures) return
    const health = healthOf(figures)
    const urlOf = (taskId: string) => taskUrl(publicUrl, workspaceId, taskId)
    const { earlierRun, retentionDays } = await inWorkspace(async (tx) => ({
      earlierRun: await latestResult(tx, due),
      retentionDays: (await findWorkspace(tx))!.retentionDays,
    }))
    const earlierAdvice = await completeInTurns(
      judgeEarlierAdvice(earlierRun, figures, { now: periodEnd, retentionDays }),
      signal,
    )
    const withoutPairs = { app, type, periodStart, periodEnd, figures, health, earlierAdvice, urlOf }
    const findings = deriveFindings(withoutPairs, (name) => name)
    const taskPairs = await completeInTurns(pairFindings(findings, figures.observations), signal)
    const input = { ...withoutPairs, taskPairs }
    const texts = await whileClaimed(service, worker, due, signal, (joined) => analyst(input, joined))
    if (!texts) return
    signal.throwIfAborted()
    await inWorkspace(async (tx) => {
      // Read in the transaction that stores the result: a reviewer may have been removed and erased
      // since the answers were read.
      const members = await findIdsByName(
        tx,
        figures.reviewerEffects.map(({ reviewer }) => reviewer),
      )
      const { summary, recommendation, agentInstructions, result } = await withoutDeletedQuotes(tx, {
        ...texts,
        result: analysisResult(input, (reviewer) => members.has(reviewer)),
      })
      return await updateClaimed(tx, id, worker, {
        status: 'completed',
        taskCount: figures.answers,
        isHealthy: health.isHealthy,
        summary,
        recommendation,
        agentInstructions,
        result: JSON.stringify(result),
        analyst: texts.analyst,
        note: texts.note ?? null,
        message: health.tooFew ? describeTooFew(figures.current) : null,
      })
    })
  } catch (error) {
    if (!signal.aborted) throw error
    // Shutting down: the lease is released, so that another process can start over at once, and the
    // attempt does not count.
    await inWorkspace((tx) =>
      updateClaimed(tx, id, worker, { leasedUntil: null, attemptCount: due.attemptCount - 1 }),
    )
  }
}

/**
 * Reads the answers. Returns undefined if the run was cancelled or taken over by another worker.
 */
async function collectFigures(
  { database }: Service,
  worker: string,
  due: DueAnalysis,
  signal: AbortSignal,
): Promise<Figures | undefined> {
  const { id, workspaceId } = due
  const figures = createFigures(
    await database.inWorkspace(workspaceId, (tx) => readOutcomesByAdmins(tx, due)),
  )
  const count = (status: 'handled' | 'expired') =>
    database.inWorkspace(workspaceId, (tx) => countEnded(tx, status, due))
  const tasksToRead = await count('handled')
  let tasksRead = 0
  let before: PagePosition | undefined
  for (;;) {
    signal.throwIfAborted()
    const tasksReadBefore = tasksRead
    await database.inWorkspace(workspaceId, async (tx) => {
      const turnIfDue = createTurns()
      for await (const answer of readAnswers(tx, due, before, answersPerTransaction)) {
        figures.add(answer)
        tasksRead += 1
        before = { at: answer.endedAt.toISOString(), id: answer.taskId }
        await turnIfDue()
      }
    })
    const isClaimed = await database.inWorkspace(workspaceId, (tx) =>
      updateClaimed(tx, id, worker, { tasksRead, tasksToRead: Math.max(tasksRead, tasksToRead) }),
    )
    if (!isClaimed) return undefined
    if (tasksRead < tasksReadBefore + answersPerTransaction)
      return await completeInTurns(figures.finish(await count('expired')), signal)
  }
}

/**
 * Runs the analyst, which may take a minute. If the run is cancelled or taken over by another
 * worker meanwhile, aborts `work` and returns undefined.
 */
async function whileClaimed<T>(
  { database, log }: Service,
  worker: string,
  { id, workspaceId }: DueAnalysis,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const lost = new AbortController()
  const joined = joinSignals(signal, lost.signal)
  const checkTimer = setInterval(() => {
    database
      .inWorkspace(workspaceId, (tx) => isClaimedBy(tx, id, worker))
      .then((isClaimed) => isClaimed || lost.abort())
      .catch((error) => log.warn({ err: error, job: 'run-analysis' }, 'failed to check analysis ownership'))
  }, checkMilliseconds)
  try {
    return await work(joined.signal)
  } catch (error) {
    if (lost.signal.aborted) return undefined
    throw error
  } finally {
    clearInterval(checkTimer)
    joined.release()
  }
}
