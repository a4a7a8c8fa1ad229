import { exactPercent } from '../../../contract/exact-percent.ts'
import { equalJson } from '../../../contract/forms/json.ts'
import { limits } from '../../../contract/limits.ts'
import type {
  ChangeRule,
  CreateRule,
  Rule,
  RuleCondition,
  RuleSuggestion,
} from '../../../contract/rules/rule.ts'
import type { AppAndType } from '../../lib/app-and-type.ts'
import { localDay } from '../../lib/days.ts'
import { toPercent } from '../../lib/numbers.ts'
import type { ContextField, Scalar } from './context-fields.ts'
import { endOfDay, lastDay } from './until.ts'

export type ConditionDraft = {
  field: string
  is: RuleCondition['is']
  /** As entered, for `oneOf` one value per line. */
  value: string
  /** The condition that the fields were filled with. It is kept as it is until a field is changed. */
  stored?: RuleCondition
}

/** The fields of the form. */
export type RuleDraft = {
  name: string
  app: string
  type: string
  when: ConditionDraft[]
  /** Separated by commas. Empty: every version. */
  versions: string
  actionId: string
  /** Form fields that the rule sets. */
  data: Record<string, unknown>
  /** Share of the matching tasks that goes to people. */
  sample: number
  /** In percent, as entered. */
  allowed: string
  /** A day such as 2026-11-05. */
  until: string
}

// Higher than the default, because nobody has yet decided what the rule answers.
const sampleOfSuggestion = 0.25

export function emptyDraft(appAndType: { app?: string | undefined; type?: string | undefined }): RuleDraft {
  return {
    name: '',
    app: appAndType.app ?? '',
    type: appAndType.type ?? '',
    when: [{ field: '', is: 'equals', value: '' }],
    versions: '',
    actionId: '',
    data: {},
    sample: limits.ruleSampleDefault,
    allowed: String(toPercent(limits.allowedDisagreementDefault)),
    until: lastDay(),
  }
}

export function draftOfSuggestion(
  appAndType: AppAndType,
  { name, when, answer, allowedDisagreement }: RuleSuggestion,
): RuleDraft {
  const { allowedDisagreementMin: min, allowedDisagreementMax: max } = limits
  return {
    ...emptyDraft(appAndType),
    name,
    when: when.map(conditionDraft),
    actionId: answer.actionId,
    data: answer.data ?? {},
    sample: sampleOfSuggestion,
    // Rounded up, so that it is not stricter than what was proposed.
    allowed: String(
      toPercent(Math.min(max, Math.max(min, Math.ceil(exactPercent(allowedDisagreement) * 10) / 1_000))),
    ),
  }
}

export function draftOfRule(rule: Rule): RuleDraft {
  return {
    name: rule.name,
    app: rule.app,
    type: rule.type,
    when: rule.when.map(conditionDraft),
    versions: rule.versions?.join(', ') ?? '',
    actionId: rule.answer.actionId,
    data: rule.answer.data ?? {},
    sample: rule.sample,
    allowed: String(toPercent(rule.allowedDisagreement)),
    until: localDay(rule.until),
  }
}

function conditionDraft(condition: RuleCondition): ConditionDraft {
  return { ...shownFields(condition), stored: condition }
}

function shownFields(condition: RuleCondition): ConditionDraft {
  const { field, is } = condition
  if (condition.is === 'oneOf') return { field, is, value: condition.value.map(textOf).join('\n') }
  return { field, is, value: 'value' in condition ? textOf(condition.value) : '' }
}

/**
 * The value as a person would enter it. Quotes tell a text from a number, a boolean or nothing. A
 * text with line breaks is written as JSON, on one line.
 */
function textOf(value: Scalar): string {
  if (typeof value !== 'string') return String(value)
  const written = [value, `"${value}"`].find(
    (text) => text !== '' && !/[\r\n]/.test(text) && parseValue(text, undefined) === value,
  )
  return written ?? JSON.stringify(value)
}

/** An entered text as the boolean or number it looks like, or else as a text without quotes around it. */
function parseScalar(text: string): Scalar {
  if (text === 'true' || text === 'false') return text === 'true'
  if (/^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text)
  return isQuoted(text) ? (readJsonText(text) ?? text.slice(1, -1)) : text
}

/** The text that this is the JSON of, if it is exactly what `textOf` would write. */
function readJsonText(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' && JSON.stringify(value) === text ? value : undefined
  } catch {
    return undefined
  }
}

const isQuoted = (text: string) => /^".*"$/.test(text)

/**
 * The value that was entered. If the field is a text in the newest task (`example`), so is the
 * value, even if it looks like a number, because a number never equals a text.
 */
function parseValue(entered: string, example: Scalar | undefined): Scalar {
  const text = entered.trim()
  return typeof example === 'string' && !isQuoted(text) ? text : parseScalar(text)
}

export function conditionOf({ stored, ...draft }: ConditionDraft, fields: ContextField[]): RuleCondition {
  if (stored && equalJson(draft, shownFields(stored))) return stored
  const { is, value } = draft
  const field = draft.field.trim()
  const example = fields.find(({ path }) => path === field)?.value
  switch (is) {
    case 'equals':
      return { field, is, value: parseValue(value, example) }
    case 'oneOf':
      return { field, is, value: linesOf(value).map((line) => parseValue(line, example)) }
    case 'atMost':
    case 'atLeast':
      return { field, is, value: Number(value) }
    default:
      return { field, is }
  }
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}

export function versionsOf({ versions }: RuleDraft): string[] {
  return versions
    .split(',')
    .map((version) => version.trim())
    .filter((version) => version !== '')
}

/** `fields`: the context fields of the newest task of the app and type. */
export function createRuleBody(draft: RuleDraft, fields: ContextField[]): CreateRule {
  const versions = versionsOf(draft)
  return {
    name: draft.name.trim(),
    app: draft.app,
    type: draft.type,
    when: draft.when.map((condition) => conditionOf(condition, fields)),
    ...(versions.length > 0 && { versions }),
    answer: {
      actionId: draft.actionId,
      ...(Object.keys(draft.data).length > 0 && { data: draft.data }),
    },
    sample: draft.sample,
    until: endOfDay(draft.until) ?? '',
    allowedDisagreement: Number((Number(draft.allowed) / 100).toFixed(4)),
  }
}

const comparedFields = ['name', 'when', 'versions', 'answer', 'sample', 'allowedDisagreement'] as const

/** Only what was changed, because any change except of the name or the end resets the evidence. */
export function changeRuleBody(draft: RuleDraft, rule: Rule, fields: ContextField[]): ChangeRule {
  const unchangedDraft = draftOfRule(rule)
  // What the unchanged form would send. It differs from the rule, for example in rounded shares.
  const unchanged = createRuleBody(unchangedDraft, fields)
  const next = createRuleBody(draft, fields)
  const changed = comparedFields.filter((field) => !equalJson(next[field], unchanged[field]))
  return {
    ...Object.fromEntries(changed.map((field) => [field, next[field] ?? null])),
    ...(draft.until !== unchangedDraft.until && { until: next.until }),
  }
}

/** Whether this change of the form resets the evidence. */
export function resetsEvidence(change: ChangeRule): boolean {
  return Object.keys(change).some((name) => name !== 'name' && name !== 'until')
}
