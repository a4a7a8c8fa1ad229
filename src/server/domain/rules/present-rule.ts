import { valueAt } from '../../../contract/forms/prefill.ts'
import { agreementAtLeast } from '../../../contract/rules/agreement-bound.ts'
import { strengthOf } from '../../../contract/rules/evidence.ts'
import type { Rule, RuleDetail, RuleDisagreement } from '../../../contract/rules/rule.ts'
import { sha256Hex } from '../../lib/sha256.ts'
import type { listAudit } from '../../storage/audit/audit-log.ts'
import type { RuleWithFigures } from '../../storage/rules/rules.ts'
import type { DisagreementRow } from '../../storage/rules/samples.ts'
import type { Scalar } from './flat-fields.ts'

export function presentRule(rule: RuleWithFigures): Rule {
  const { action, data, versions, pausedBecause, pausedAt } = rule
  return {
    ruleId: rule.id,
    name: rule.name,
    app: rule.app,
    type: rule.type,
    when: rule.conditions,
    ...(versions !== null && { versions }),
    answer: { actionId: action.id, actionTitle: action.title, ...(data !== null && { data }) },
    sample: rule.sample,
    until: rule.until.toISOString(),
    allowedDisagreement: rule.allowedDisagreement,
    state: rule.state,
    ...(pausedBecause !== null && { pausedBecause }),
    ...(pausedAt !== null && { pausedAt: pausedAt.toISOString() }),
    ...(rule.pausedByEmail !== null && { pausedBy: rule.pausedByEmail }),
    resting: rule.resting,
    ...(rule.createdByEmail !== null && { createdBy: rule.createdByEmail }),
    createdAt: rule.createdAt.toISOString(),
    answered: { total: rule.total, lastDays: rule.lastDays, tasksLastDays: rule.tasksLastDays },
    samples: {
      open: rule.openSamples,
      answered: rule.answered,
      agreed: rule.agreed,
      atLeast: agreementAtLeast(rule.agreed, rule.answered),
    },
    evidence: strengthOf(rule.evidence),
    newVersions: rule.newVersions,
  }
}

type DetailRows = {
  judged: { at: Date; agrees: boolean }[]
  disagreements: DisagreementRow[]
  history: Awaited<ReturnType<typeof listAudit>>
  answeredBeforePause: number
}

export function presentRuleDetail(
  rule: RuleWithFigures,
  { judged, disagreements, history, answeredBeforePause }: DetailRows,
): RuleDetail {
  const fields = rule.conditions.map(({ field }) => field)
  // The audit log has only the digest of a version, because senders write it.
  const versions = new Map(rule.newVersions.map(({ version }) => [sha256Hex(version), version]))
  return {
    ...presentRule(rule),
    judged: judged.map(({ at, agrees }) => ({ at: at.toISOString(), agrees })),
    disagreements: disagreements.map((row) => presentDisagreement(row, fields)),
    history: history.map(({ at, action, actorEmail, details }) => ({
      at: at.toISOString(),
      action,
      ...(actorEmail !== null && { by: actorEmail }),
      details: withVersion((details as Record<string, unknown> | null) ?? {}, versions),
    })),
    answeredBeforePause,
  }
}

function withVersion(
  { versionSha256, ...details }: Record<string, unknown>,
  versions: ReadonlyMap<unknown, string>,
): Record<string, unknown> {
  const version = versions.get(versionSha256)
  return version === undefined ? details : { ...details, version }
}

function presentDisagreement(row: DisagreementRow, fields: string[]): RuleDisagreement {
  return {
    taskId: row.taskId,
    name: row.name,
    ...(row.version !== null && { version: row.version }),
    at: row.at.toISOString(),
    outcome: row.ending,
    ...(row.ending === 'answered' && {
      ...(row.actionTitle !== null && { actionTitle: row.actionTitle }),
      ...(row.answer !== null && { data: row.answer }),
      ...(row.handledBy !== null && { handledBy: row.handledBy }),
    }),
    context: shortFields(row.context?.data, fields),
    isContentDeleted: row.isContentDeleted,
  }
}

const shownFields = 8
const maxCharacters = 200

/**
 * Short fields of the context, at most 8. Those that the conditions of the rule read come first.
 */
function shortFields(data: unknown, conditionFields: string[]): Record<string, Scalar | null> {
  const names = typeof data === 'object' && data !== null ? Object.keys(data) : []
  const values = [...new Set([...conditionFields, ...names])].flatMap((name) => {
    const value = valueAt(data, name)
    return isShort(value) ? [[name, value] as const] : []
  })
  return Object.fromEntries(values.slice(0, shownFields))
}

function isShort(value: unknown): value is Scalar | null {
  if (typeof value === 'string') return value.length <= maxCharacters
  return value === null || typeof value === 'number' || typeof value === 'boolean'
}
