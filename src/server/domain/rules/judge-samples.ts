import { addSample, pauseReason } from '../../../contract/rules/evidence.ts'
import type { RuleDisagreement } from '../../../contract/rules/rule.ts'
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
  setJudged,
} from '../../storage/rules/samples.ts'
import { findTask, findTaskContent, type TaskRow } from '../../storage/tasks/tasks.ts'
import { processDue } from '../process-due.ts'
import { answerDigest } from '../review/answer-digest.ts'
import type { Service } from '../service.ts'
import { pauseRule } from './pause-rule.ts'

const namedTasks = 5

/**
 * Compares answers to samples with what their rules would have answered. Returns true if there may
 * be more.
 */
export async function judgeSamples(service: Service): Promise<boolean> {
  return await processDue(service, {
    find: (limit) => findSamplesToJudge(service.database, limit),
    idOf: ({ taskId }) => taskId,
    failure: 'failed to judge a sample of a rule',
    work: (tx, { taskId, ruleId }) => judgeSample(service, tx, ruleId, taskId),
  })
}

/** The lock on the rule makes its samples count one after the other and once each, across all processes. */
async function judgeSample(service: Service, tx: Transaction, ruleId: string, taskId: string): Promise<void> {
  const rule = await lockRule(tx, ruleId)
  const sample = rule && (await findOpenSample(tx, taskId))
  const task = sample && (await findTask(tx, taskId))
  if (!rule || !task) return
  // A sample does not count if it is from before the rule's evidence started anew, if its content
  // was deleted, or if the person answered it in bulk with another sample of the same version that
  // has counted for this rule.
  const isCurrent = sample.generation === rule.generation && task.contentDeletedAt === null
  if (!isCurrent || (await isBulkJudged(tx, ruleId, taskId))) return await deleteSample(tx, taskId)
  const { outcome, agrees } = await judge(tx, rule, task)
  await setJudged(tx, taskId, outcome, agrees)
  await (sample.kind === 'newVersion'
    ? countForProbation(tx, rule, task, agrees)
    : addEvidence(service, tx, rule, agrees))
}

type Judgement = { outcome: RuleDisagreement['outcome']; agrees: boolean }

/** Whatever kept people from answering the task as it was sent counts as a disagreement. */
async function judge(tx: Transaction, rule: RuleRow, task: TaskRow): Promise<Judgement> {
  if (task.revision > 1) return { outcome: 'revised', agrees: false }
  if (task.status === 'cancelled') return { outcome: 'cancelled', agrees: false }
  if (task.status === 'expired' || task.decidedBy !== 'human') return { outcome: 'expired', agrees: false }
  const content = await findTaskContent(tx, task.id)
  const action = content?.actions.find(({ id }) => id === task.actionId)
  if (task.actionId !== rule.action.id || !action) return { outcome: 'answered', agrees: false }
  const data = content?.context?.data
  const ours = ruleAnswer(action, data, rule.data ?? undefined)
  const digestOf = (answer: Record<string, unknown>) => answerDigest(action, answer, data)
  return { outcome: 'answered', agrees: ours !== undefined && digestOf(ours) === digestOf(task.answer ?? {}) }
}

async function countForProbation(
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
