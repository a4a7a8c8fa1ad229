import { addSample, pauseReason } from '../../../contract/rules/evidence.ts'
import { ruleAnswer } from '../../../contract/rules/rule-answer.ts'
import { sha256Hex } from '../../lib/sha256.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { raiseSettingsVersion } from '../../storage/review/decision-settings.ts'
import { countForVersion, lockRule, type RuleRow, updateRule } from '../../storage/rules/rules.ts'
import {
  deleteSample,
  findOpenSample,
  findSamplesToJudge,
  isBulkJudged,
  listDisagreeingSampleIds,
  type SampleEnding,
  setJudged,
} from '../../storage/rules/samples.ts'
import { findTask, findTaskContent, type TaskRow } from '../../storage/tasks/tasks.ts'
import { processDue } from '../process-due.ts'
import { answerDigest } from '../review/answer-digest.ts'
import type { Service } from '../service.ts'
import { pauseRule } from './pause-rule.ts'

const namedTasks = 5

/**
 * Judges samples whose task has ended or was revised: compares what people answered with what the
 * rule would have answered. Returns true if there may be more.
 */
export async function judgeSamples(service: Service): Promise<boolean> {
  return await processDue(service, {
    find: (limit) => findSamplesToJudge(service.database, limit),
    idOf: ({ taskId }) => taskId,
    failure: 'failed to judge a sample of a rule',
    work: (tx, { taskId, ruleId }) => judgeSample(service, tx, ruleId, taskId),
  })
}

/**
 * Locks the rule, so that across all processes its samples are judged one at a time and once each.
 */
async function judgeSample(service: Service, tx: Transaction, ruleId: string, taskId: string): Promise<void> {
  const rule = await lockRule(tx, ruleId)
  const sample = rule && (await findOpenSample(tx, taskId))
  const task = sample && (await findTask(tx, taskId))
  if (!rule || !task) return
  // A sample does not count if it was drawn before the rule's evidence was last reset, if the
  // content of its task was deleted, or if the person answered it in bulk with another sample of the same
  // version that has already counted for this rule.
  const isCurrent = sample.generation === rule.generation && task.contentDeletedAt === null
  if (!isCurrent || (await isBulkJudged(tx, ruleId, taskId))) return await deleteSample(tx, taskId)
  const { ending, agrees } = await judge(tx, rule, task)
  await setJudged(tx, taskId, ending, agrees)
  await (sample.kind === 'newVersion'
    ? countForNewVersion(tx, rule, task, agrees)
    : addEvidence(service, tx, rule, agrees))
}

type Judgement = { ending: SampleEnding; agrees: boolean }

/** If the task was not answered by a person as it was sent, that counts as a disagreement. */
async function judge(tx: Transaction, rule: RuleRow, task: TaskRow): Promise<Judgement> {
  if (task.revision > 1) return { ending: 'revised', agrees: false }
  if (task.status === 'cancelled') return { ending: 'cancelled', agrees: false }
  if (task.status === 'expired' || task.decidedBy !== 'human') return { ending: 'expired', agrees: false }
  const content = await findTaskContent(tx, task.id)
  const action = content?.actions.find(({ id }) => id === task.actionId)
  if (task.actionId !== rule.action.id || !action) return { ending: 'answered', agrees: false }
  const contextData = content?.context?.data
  const expected = ruleAnswer(action, contextData, rule.data ?? undefined)
  const digestOf = (answer: Record<string, unknown>) => answerDigest(action, answer, contextData)
  const agrees = expected !== undefined && digestOf(expected) === digestOf(task.answer ?? {})
  return { ending: 'answered', agrees }
}

/**
 * Adds the answer to the count of the version. If the version passes with it, this is recorded in the
 * audit log.
 */
async function countForNewVersion(
  tx: Transaction,
  { id }: RuleRow,
  { version }: TaskRow,
  agrees: boolean,
): Promise<void> {
  if (!(await countForVersion(tx, id, version ?? '', agrees))) return
  await raiseSettingsVersion(tx)
  await appendAudit(tx, {
    actor: 'service',
    from: undefined,
    action: 'rule.version_passed',
    subject: id,
    details: { versionSha256: sha256Hex(version ?? '') },
  })
}

async function addEvidence(service: Service, tx: Transaction, rule: RuleRow, agrees: boolean): Promise<void> {
  const evidence = addSample(rule.evidence, agrees, rule.allowedDisagreement)
  await updateRule(tx, rule.id, {
    evidence,
    answered: rule.answered + 1,
    agreed: rule.agreed + (agrees ? 1 : 0),
  })
  const because = pauseReason(evidence)
  if (!because || rule.state !== 'active') return
  await pauseRule(service, tx, rule, {
    because,
    taskIds: await listDisagreeingSampleIds(tx, rule, namedTasks),
  })
}
