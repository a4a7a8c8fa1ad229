import { canonicalText } from '../../../contract/forms/comparable-answer.ts'
import { limits } from '../../../contract/limits.ts'
import { noEvidence } from '../../../contract/rules/evidence.ts'
import type { ChangeRule, CreateRule, Rule, RuleDetail, RulesPaused } from '../../../contract/rules/rule.ts'
import { newId } from '../../lib/ids.ts'
import { sha256Hex } from '../../lib/sha256.ts'
import { appendAudit, listAudit } from '../../storage/audit/audit-log.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { readClock } from '../../storage/engine/read-clock.ts'
import { raiseSettingsVersion } from '../../storage/review/decision-settings.ts'
import {
  countRules,
  insertRule,
  lockActiveRules,
  lockRule,
  type RuleChange,
  type RuleRow,
  readRules,
  setVersions,
  updateRule,
} from '../../storage/rules/rules.ts'
import { countBeforePause, listDisagreements, listJudged } from '../../storage/rules/samples.ts'
import { type AdminActor, type PersonActor, requireRole } from '../actor.ts'
import { conflict, invalidRequest, notFound } from '../problems.ts'
import type { Service } from '../service.ts'
import { type Pause, pauseRule, pauseRules } from './pause-rule.ts'
import { pinRule } from './pin-rule.ts'
import { presentRule, presentRuleDetail } from './present-rule.ts'

const shownSamples = 1_000
const shownDisagreements = 50
const shownEntries = 50

/** All members may see the rules, because they say which tasks people are not asked about. */
export async function listRules({ database }: Service, actor: PersonActor): Promise<Rule[]> {
  return (await database.inWorkspace(actor.workspaceId, (tx) => readRules(tx))).map(presentRule)
}

export async function findRule(
  { database }: Service,
  actor: PersonActor,
  ruleId: string,
): Promise<RuleDetail> {
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const [rule] = await readRules(tx, { ruleId })
    if (!rule) throw notFound('rule')
    return presentRuleDetail(rule, {
      judged: await listJudged(tx, rule, shownSamples),
      disagreements: await listDisagreements(tx, rule, shownDisagreements),
      history: await listAudit(tx, { subject: ruleId }, undefined, shownEntries),
      answeredBeforePause: rule.pausedAt === null ? 0 : await countBeforePause(tx, ruleId, rule.pausedAt),
    })
  })
}

/**
 * Creates a rule for tasks that are sent from now on. Versions for which people have already agreed
 * with it often enough have passed from the start.
 */
export async function createRule(
  service: Service,
  actor: PersonActor,
  input: CreateRule,
  signal: AbortSignal,
): Promise<Rule> {
  requireRole(actor, 'admin')
  await requireValidEnd(service, actor, input.until)
  const { database } = service
  const { app = 'default', type, when = [], versions, answer } = input
  const pinned = await pinRule(service, actor, { app, type, when, versions, answer }, { signal })
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    await raiseSettingsVersion(tx)
    if ((await countRules(tx)) >= limits.rules)
      throw conflict(`A workspace may have at most ${limits.rules} rules. End one first.`)
    const id = newId('rule')
    const rule = {
      id,
      name: input.name,
      app,
      type,
      conditions: when,
      versions: versions ?? null,
      action: pinned.action,
      data: answer.data ?? null,
      actionsDigest: pinned.actionsDigest,
      sample: input.sample ?? limits.ruleSampleDefault,
      until: new Date(input.until),
      allowedDisagreement: input.allowedDisagreement ?? limits.allowedDisagreementDefault,
      evidence: noEvidence,
      createdBy: actor.id,
    }
    await insertRule(tx, rule)
    await setVersions(tx, id, pinned.versions ?? [])
    await auditChange(tx, actor, 'rule.created', id, auditDetails(rule))
    return await present(tx, id)
  })
}

/** Resuming a rule, or changing a setting other than its name and `until`, resets its evidence. */
export async function changeRule(
  service: Service,
  actor: PersonActor,
  ruleId: string,
  change: ChangeRule,
  signal: AbortSignal,
): Promise<Rule> {
  requireRole(actor, 'admin')
  if (change.until !== undefined) await requireValidEnd(service, actor, change.until)
  const pinned = await pinChanged(service, actor, ruleId, change, signal)
  return await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    const rule = await lockRule(tx, ruleId)
    if (!rule) throw notFound('rule')
    if (rule.state === 'ended') throw conflict('This rule has ended for good. Create a new one.')
    // Another change was committed after `pinned` was read.
    if (pinned && rule.generation !== pinned.generation)
      throw conflict('This rule has just been changed. Load it again.')
    const isResumed = change.state === 'active' && rule.state === 'paused'
    const until = change.until === undefined ? rule.until : new Date(change.until)
    if (isResumed && until <= (await readClock(tx)))
      throw invalidRequest([
        { path: 'until', message: 'Must be in the future, so that the rule can resume.' },
      ])
    const resetsEvidence =
      pinned || isResumed || change.sample !== undefined || change.allowedDisagreement !== undefined
    await raiseSettingsVersion(tx)
    const changed: RuleChange = {
      ...(change.name !== undefined && { name: change.name }),
      ...(change.sample !== undefined && { sample: change.sample }),
      ...(change.allowedDisagreement !== undefined && { allowedDisagreement: change.allowedDisagreement }),
      until,
      ...pinned?.change,
      ...(resetsEvidence && {
        generation: rule.generation + 1,
        evidence: noEvidence,
        answered: 0,
        agreed: 0,
      }),
      ...((isResumed || change.state === 'ended') && {
        state: change.state!,
        pausedBecause: null,
        pausedAt: null,
        pausedBy: null,
      }),
    }
    await updateRule(tx, ruleId, changed)
    if (pinned?.versions) await setVersions(tx, ruleId, pinned.versions)
    const fields = Object.keys(change).filter((name) => name !== 'state')
    if (fields.length > 0)
      await auditChange(tx, actor, 'rule.changed', ruleId, {
        fields,
        ...auditDetails({ ...rule, ...changed }),
      })
    if (isResumed) await auditChange(tx, actor, 'rule.resumed', ruleId)
    if (change.state === 'ended') await auditChange(tx, actor, 'rule.ended', ruleId)
    if (change.state === 'paused' && rule.state === 'active')
      await pauseRule(service, tx, rule, { because: 'person', actor })
    return await present(tx, ruleId)
  })
}

/** The emergency stop: pauses every active rule of the workspace. */
export async function pauseAllRules(service: Service, actor: AdminActor): Promise<RulesPaused> {
  requireRole(actor, 'admin')
  return await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    const rules = await lockActiveRules(tx)
    const pause: Pause = { because: 'person', actor }
    const paused = rules.length
    if (paused === 1) await pauseRule(service, tx, rules[0]!, pause)
    if (paused > 1)
      await pauseRules(service, tx, rules, pause, {
        subject: `${paused} rules paused`,
        text: `All ${paused} active rules are paused. Their tasks go to people now; no task is lost.`,
        links: [{ label: 'Open the rules', url: `${service.publicUrl}/w/${actor.workspaceId}/rules` }],
      })
    return { paused }
  })
}

/**
 * What a change needs from past answers and the current form, read before the rule is locked.
 * undefined if the change does not affect what the rule answers.
 */
async function pinChanged(
  service: Service,
  actor: PersonActor,
  ruleId: string,
  { when, versions, answer, state }: ChangeRule,
  signal: AbortSignal,
) {
  const isEdited = when !== undefined || versions !== undefined || answer !== undefined
  if (!isEdited && state !== 'active') return undefined
  const [rule] = await service.database.inWorkspace(actor.workspaceId, (tx) => readRules(tx, { ruleId }))
  if (!rule) throw notFound('rule')
  // A rule that is resumed is pinned again, because agents may send other actions now.
  if (!isEdited && rule.state !== 'paused') return undefined
  const conditions = when ?? rule.conditions
  const changedVersions = versions === undefined ? rule.versions : versions
  const given = answer ?? { actionId: rule.action.id, data: rule.data ?? undefined }
  const edited = {
    app: rule.app,
    type: rule.type,
    when: conditions,
    versions: changedVersions ?? undefined,
    answer: given,
  }
  const sameAs = isEdited ? undefined : rule.actionsDigest
  const pinned = await pinRule(service, actor, edited, { signal, sameAs })
  return {
    generation: rule.generation,
    versions: pinned.versions,
    change: {
      conditions,
      versions: changedVersions,
      action: pinned.action,
      data: given.data ?? null,
      actionsDigest: pinned.actionsDigest,
    },
  }
}

const dayMilliseconds = 86_400_000

async function requireValidEnd(
  { database }: Service,
  { workspaceId }: PersonActor,
  until: string,
): Promise<void> {
  const now = await database.inWorkspace(workspaceId, readClock)
  const ahead = Date.parse(until) - now.getTime()
  if (ahead > 0 && ahead <= limits.ruleDays * dayMilliseconds) return
  throw invalidRequest([
    { path: 'until', message: `Must be in the future, and at most ${limits.ruleDays} days ahead.` },
  ])
}

async function present(tx: Transaction, ruleId: string): Promise<Rule> {
  return presentRule((await readRules(tx, { ruleId }))[0]!)
}

/**
 * The audit log outlives the content of tasks, so it has only digests of conditions and answers.
 */
function auditDetails({
  conditions,
  action,
  data,
  sample,
  until,
  allowedDisagreement,
}: Pick<RuleRow, 'conditions' | 'action' | 'data' | 'sample' | 'until' | 'allowedDisagreement'>) {
  return {
    conditionsSha256: sha256Hex(canonicalText(conditions)),
    answerSha256: sha256Hex(canonicalText([action.id, data])),
    sample,
    until: until.toISOString(),
    allowedDisagreement,
  }
}

async function auditChange(
  tx: Transaction,
  actor: PersonActor,
  action: 'rule.created' | 'rule.changed' | 'rule.resumed' | 'rule.ended',
  subject: string,
  details?: Record<string, unknown>,
): Promise<void> {
  await appendAudit(tx, { actor: actor.id, from: actor.from, action, subject, ...(details && { details }) })
}
