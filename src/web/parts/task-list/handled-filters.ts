import { idPattern } from '../../../contract/id-pattern.ts'
import { limits } from '../../../contract/limits.ts'
import { parseDay, parseOneOf, parseText } from '../../lib/search-params.ts'

export const periodLabels = { today: 'Today', week: 'Last 7 days', month: 'Last 30 days' }
export type Period = keyof typeof periodLabels

export type HandledFilters = {
  /** Default: handled. */
  status?: 'cancelled' | 'expired' | undefined
  /**
   * An email address, the id of an erased person, service:rule, service:timeout, or "me" for the
   * person who opens the link.
   */
  by?: string | undefined
  /** The id of the rule that answered. */
  rule?: string | undefined
  action?: string | undefined
  when?: Period | undefined
  /** UTC days, as in the statistics. */
  from?: string | undefined
  to?: string | undefined
  app?: string | undefined
  type?: string | undefined
  version?: string | undefined
  q?: string | undefined
}

export function parseHandledFilters(search: Record<string, unknown>): HandledFilters {
  return dropIncompatibleFilters({
    status: parseOneOf(['cancelled', 'expired'], search.status),
    by: parseText(search.by, limits.email),
    rule: parseRuleId(search.rule),
    action: parseText(search.action, limits.actionId),
    when: parseOneOf(Object.keys(periodLabels) as Period[], search.when),
    from: parseDay(search.from),
    to: parseDay(search.to),
    app: parseText(search.app, limits.app),
    type: parseText(search.type, limits.type),
    version: parseText(search.version, limits.version),
    q: parseText(search.q, limits.query),
  })
}

const ruleIdPattern = new RegExp(`^rul_${idPattern}$`)

/** The id of a rule. The API refuses other values. */
function parseRuleId(value: unknown): string | undefined {
  return typeof value === 'string' && ruleIdPattern.test(value) ? value : undefined
}

/**
 * Drops filters on the answer and its time if the tasks were cancelled or expired, because those
 * have no answer.
 */
export function dropIncompatibleFilters(filters: HandledFilters): HandledFilters {
  if (filters.status === undefined) return filters
  const noAnswer = { by: undefined, rule: undefined, action: undefined }
  return { ...filters, ...noAnswer, when: undefined, from: undefined, to: undefined }
}

/** With all keys, because omitted ones would keep their value from the URL. */
export const noHandledFilters: HandledFilters = parseHandledFilters({})
