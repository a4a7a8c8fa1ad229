import { createHmac } from 'node:crypto'
import type { Action } from '../../../contract/action.ts'
import { canonicalText } from '../../../contract/forms/comparable-answer.ts'
import { matchesConditions } from '../../../contract/rules/matches-conditions.ts'
import type { StandingRule } from '../../storage/rules/rules.ts'
import type { ActionAnswer } from '../tasks/endings.ts'
import { actionsDigest } from './actions-digest.ts'
import { fittingAnswer } from './check-rule-answer.ts'

export type TaskToMatch = {
  app: string
  type: string
  version: string | undefined
  /** `context.data` of the task. */
  contextData: unknown
  actions: Action[]
}

export type RuleMatch =
  | { rule: StandingRule; kind: 'decision'; chosen: ActionAnswer }
  | { rule: StandingRule; kind: 'sample' | 'newVersion' }

/**
 * What the oldest rule that matches a new task does. If this rule is paused, or its answer does not
 * fit the form as the task prefills it, a person answers, not a newer rule. Rules that were made
 * for other actions do not match.
 *
 * `rulesToPause` are active rules that were made for other actions, would match otherwise, and whose
 * answer does not fit: agents now send another form. Only rules older than the matching one are
 * checked. A rule for the same actions is not paused, because what this task prefills is the cause.
 */
export function matchRule(
  rules: StandingRule[],
  task: TaskToMatch,
  secret: string,
): { match: RuleMatch | undefined; rulesToPause: string[] } {
  const { app, type, version, contextData, actions } = task
  const rulesToPause: string[] = []
  let digest: string | undefined
  for (const rule of rules) {
    if (rule.app !== app || rule.type !== type) continue
    if (rule.versions !== null && !(version !== undefined && rule.versions.includes(version))) continue
    if (!matchesConditions(rule.conditions, contextData)) continue
    digest ??= actionsDigest(actions)
    const action = actions.find(({ id }) => id === rule.action.id)
    const answer = action && fittingAnswer(action, contextData, rule.data ?? undefined)
    if (rule.actionsDigest !== digest) {
      if (!answer && rule.state === 'active') rulesToPause.push(rule.id)
      continue
    }
    if (rule.state === 'paused' || !action || !answer) return { match: undefined, rulesToPause }
    if (!rule.passed.includes(version ?? '')) return { match: { rule, kind: 'newVersion' }, rulesToPause }
    if (sampleDraw(secret, rule.id, [type, contextData, digest]) < rule.sample)
      return { match: { rule, kind: 'sample' }, rulesToPause }
    const chosen = { id: action.id, title: action.title, data: answer }
    return { match: { rule, kind: 'decision', chosen }, rulesToPause }
  }
  return { match: undefined, rulesToPause }
}

/**
 * A number from 0 up to 1 that a sender cannot know. On the same day (UTC), the same task gives the
 * same number: otherwise a sender could cancel a task that goes to people and send it again until
 * the rule decides it.
 */
function sampleDraw(secret: string, ruleId: string, content: unknown): number {
  const day = new Date().toISOString().slice(0, 10)
  const digest = createHmac('sha256', `handrail:rule:${secret}`)
    .update(`${ruleId}\n${day}\n${canonicalText(content)}`)
    .digest()
  return digest.readUIntBE(0, 6) / 2 ** 48
}
