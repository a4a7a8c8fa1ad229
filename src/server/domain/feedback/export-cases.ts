import type { ExportTasks } from '../../../contract/export.ts'
import type { AnalysisFinding, TaskPair } from '../../../contract/feedback-analysis.ts'
import type { Violation } from '../../../contract/violation.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { latestResult } from '../../storage/feedback/analyses.ts'
import { findHandledTasks, type HandledTaskRow } from '../../storage/tasks/handled-tasks.ts'
import { DomainProblem, invalidRequest } from '../problems.ts'

/** A pair of tasks, as a fixture for a regression test. */
type ExportedCase = TaskPair & {
  analysisId: string
  finding: Pick<AnalysisFinding, 'kind' | 'title'> & { number: number }
}

/**
 * The pairs of the latest completed analysis of an app and type. Those of findings that only
 * members see are left out, because these are not about the agent.
 */
export async function findCases(
  tx: Transaction,
  query: Omit<ExportTasks, 'format'>,
): Promise<ExportedCase[]> {
  const { app, type, finding: wanted, ...others } = query
  if (app === undefined || type === undefined)
    throw invalidRequest(
      Object.entries({ app, type }).flatMap(([path, value]): Violation[] =>
        value === undefined ? [{ path, message: 'Is required if format is cases.' }] : [],
      ),
    )
  const ignored = Object.entries(others).filter(([, value]) => value !== undefined)
  if (ignored.length > 0)
    throw invalidRequest(ignored.map(([path]) => ({ path, message: 'Does not apply if format is cases.' })))
  const latest = await latestResult(tx, { app, type })
  if (!latest)
    throw new DomainProblem(
      'not_found',
      'There is no completed analysis of this app and type, or the retention period has deleted its findings. Run one first, on the Statistics page or with POST /feedback-analyses.',
    )
  const findings = latest.result.findings
    .map((finding, i) => ({ ...finding, number: i + 1 }))
    .filter(({ forMembersOnly, number }) => !forMembersOnly && (wanted ?? number) === number)
  if (wanted !== undefined && findings.length === 0)
    throw new DomainProblem(
      'not_found',
      `The latest analysis of this app and type has no finding ${wanted} that can be exported. Leave finding out to get all.`,
    )
  return findings.flatMap(({ number, kind, title, taskPairs }) =>
    taskPairs.map((pair) => ({ analysisId: latest.id, finding: { number, kind, title }, ...pair })),
  )
}

/**
 * One line per case. A case is left out if the content of one of its tasks was deleted since the
 * analysis.
 */
export async function caseLines(tx: Transaction, cases: ExportedCase[]): Promise<string> {
  const ids = cases.flatMap(({ negative, positive }) => [negative.taskId, positive.taskId])
  const tasks = new Map((await findHandledTasks(tx, ids)).map((task) => [task.id, task]))
  return cases
    .map(({ analysisId, finding, negative, positive, differences }) => {
      const [negativeTask, positiveTask] = [tasks.get(negative.taskId), tasks.get(positive.taskId)]
      if (!negativeTask || !positiveTask) return ''
      const line = {
        analysisId,
        finding,
        negative: presentExportedTask(negativeTask),
        positive: presentExportedTask(positiveTask),
        differences,
      }
      return `${JSON.stringify(line)}\n`
    })
    .join('')
}

function presentExportedTask(task: HandledTaskRow) {
  return {
    taskId: task.id,
    ...(task.version !== null && { version: task.version }),
    name: task.name,
    description: task.description,
    ...(task.metadata !== null && { metadata: task.metadata }),
    ...(task.context !== null && { context: task.context }),
    actions: task.actions ?? [],
    answer: { actionId: task.actionId, data: task.answer },
  }
}
